import Testing

// Sums are nobody's business outside, and their block borders cannot be reached through a whole request.
@testable import Fetch

struct HashTests {
  /// Of messages whose byte `i` is `7i + length`, as another implementation has their sums.
  @Test(arguments: [
    (
      0, "d41d8cd98f00b204e9800998ecf8427e", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"
    ),
    (
      1, "55a54008ad1ba589aa210d2629c1df41", "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",
      "2a8b71c345fac6e44dca4f7a762a560c3bdd7fa3001e84507c946a7d8fd46ee7"
    ),
    (
      55, "f1289732253518750e22b62a571a1748", "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72",
      "816a6e2fc440f86cf0390369da3ac360a36237a40c62f3a09156282b6b301b58"
    ),
    (
      56, "179e3b9fa272a23e2a8b32bde1015414", "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1",
      "d8116ee78943b0fb4639f8ead654a326dee2571a921ef4713a711d5551ffea12"
    ),
    (
      63, "dd785945d1d6b87eca0d276dbb8756fd", "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e",
      "8ee95b4223a6a3000a08ef2fce7b9a8f977f73c1dc7f2801cb069fba38b1ed0c"
    ),
    (
      64, "e3ab394ce4eb7da020a27d2e2443143c", "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8",
      "a195bc45e3d011ce1a0f8223fa1df1e7365ce1280a1dcd80f546e5e76013ddf5"
    ),
    (
      65, "28a6b0f918d9aea03e979a1657d8d0f6", "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720",
      "c6171da2f4a138049ce229e6244243bc628d7621aa65beb510d0152da0a27845"
    ),
    (
      111, "d54c1b85b05a0800af2c6d01394f0421", "b41ae5233b9ec35d8576a032034d2857b667a618c7038714d727d4dae3aa2525",
      "86cd5320f5792906a1304af8ece50986782be56e57727239ac3c2827d03a22e9"
    ),
    (
      112, "80ddd4569b593235048eb5e2cdc38c8d", "0949563bc78e5ccd85603fa20368a33ed3d2da0141c8284a3b1515fe4683cdd7",
      "3ca6f01d248bb2a6a2c13dff32318654e0b0fbd20e21ebc6f44df93e384d3b22"
    ),
    (
      119, "d49720530a386a3191eac0dc840dd1bd", "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e",
      "c7eb51b6944ab7f12dac267615935a5be8d00ece65bfc65da2dbc4ac7e8a4d2c"
    ),
    (
      127, "36d03458e8a745e61afcf02257826e12", "68f6ff710276900c0ffbbc57426f67e00c2e01f0750c7edc25ac06b8ce7a8095",
      "e6a744892a022b510a51bf51d40c19dcebc5dfb87222bc98338543c9b5a1fe66"
    ),
    (
      128, "52cc29caecfd9380a2261a80c58e6787", "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707",
      "f68a28f2103cf5105d30918354cb2a56a5518ad44e798ae73014a832bf0bb772"
    ),
    (
      129, "0fa5eac15b498f879494809c74939fc7", "4e1556b2e9a50a3cc9478f3254727b01065f9ac5d2c3a8b4cd538ae7240bb87d",
      "1b06652cf73654c3d00acf6feaa60f92f384f4544ccbc6ab2616728c6e46f71d"
    ),
    (
      1000, "c3b2968d34e038455d14c8827156e193", "6b0df76627243d095b0c4400cb658b7e804dd03461cc03aee8fc8fe0bcada168",
      "25f150984fa724c130497e3f094e99fdfe0090ef9cf79bc270f1708b41e8ac5d"
    ),
  ])
  func `sums are right, whatever lies at the end of a block`(
    _ length: Int, _ md5: String, _ sha256: String, _ sha512: String
  ) {
    let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }
    #expect(Hexadecimal.text(MD5.hash(message)) == md5)
    #expect(Hexadecimal.text(SHA256.hash(message)) == sha256)
    #expect(Hexadecimal.text(SHA512_256.hash(message)) == sha512)
  }

  /// RFC 4231, test cases 1, 2 and 6.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `a keyed sum takes keys of any length`(_ key: [UInt8], _ message: String, _ sum: String) {
    #expect(Hexadecimal.text(SHA256.keyed(key, Array(message.utf8))) == sum)
  }
}
