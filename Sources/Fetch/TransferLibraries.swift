import CCurl
import CZlib
import CZstd

/// The C libraries that fetch and unpack.
package enum TransferLibraries {
  /// Names and versions, with the TLS library that libcurl brings along; or why libcurl is not there.
  package static var versions: [String] {
    [curl, "zlib \(String(cString: zlibVersion()))", "zstd \(String(cString: ZSTD_versionString()))"]
  }

  private static var curl: String {
    if let failure = ccurl_load() { return String(cString: failure) }
    guard let info = ccurl_version()?.pointee else { return "libcurl of an unknown version" }
    let within = [
      info.ssl_version.map { String(cString: $0) }, info.nghttp2_version.map { "nghttp2/\(String(cString: $0))" },
    ]
    return "libcurl \(String(cString: info.version)) (\(within.compactMap(\.self).joined(separator: ", ")))"
  }
}
