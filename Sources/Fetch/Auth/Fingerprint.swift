/// A short sum that tells whether a secret is the one of before, and gives nothing of it away.
package enum Fingerprint {
  package static func text(of secret: String) -> String {
    String(Hexadecimal.text(SHA256.hash(Array("ingest:\(secret)".utf8))).prefix(16))
  }
}
