import Glibc

/// The proxy that the environment names, as libcurl looks for it.
package enum EnvironmentProxy {
  /// Nil when no variable names one, or `no_proxy` excepts the host from it. `HTTP_PROXY` is none of them: in a CGI script,
  /// whoever asks can set it.
  package static func find(
    for scheme: String, host: String,
    in environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) -> (variable: String, url: String)? {
    let own = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    for name in own + ["all_proxy", "ALL_PROXY"] {
      guard let url = environment(name), !url.isEmpty else { continue }
      let exceptions = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
      return excepts(host, exceptions) ? nil : (name, url)
    }
    return nil
  }

  /// `*`, or a list of hosts, domains, addresses and networks (`10.0.0.0/8`).
  private static func excepts(_ host: String, _ list: String) -> Bool {
    if list == "*" { return true }
    let name = bare(host)
    let address = IPAddress(name)
    return list.utf8.split(whereSeparator: { $0 == 0x2C || $0 == 0x20 || $0 == 0x09 }).contains { entry in
      let entry = String(decoding: entry, as: UTF8.self)
      if let address { return address.isWithin(entry) }
      let domain = bare(entry.utf8.first == 0x2E ? String(entry.dropFirst()) : entry)
      return !domain.isEmpty && (name == domain || name.utf8.reversed().starts(with: ".\(domain)".utf8.reversed()))
    }
  }

  /// In lower case, without the brackets of an IPv6 address and the dot of the root.
  private static func bare(_ host: String) -> String {
    var name = host.lowercased()
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    return name.hasSuffix(".") ? String(name.dropLast()) : name
  }
}

/// An address of IPv4 or IPv6 as bytes.
private struct IPAddress {
  let bytes: [UInt8]

  init?(_ text: String) {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 {
        self.bytes = bytes
        return
      }
    }
    return nil
  }

  /// Is it this address, or one of this network?
  func isWithin(_ entry: String) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1)
    guard let base = parts.first, let other = IPAddress(String(base)), other.bytes.count == bytes.count else {
      return false
    }
    guard parts.count == 2 else { return other.bytes == bytes }
    guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return false }
    return bytes.indices.allSatisfy { index in
      let kept = max(0, min(8, bits - index * 8))
      let mask = kept == 0 ? 0 : UInt8.max << UInt8(8 - kept)
      return bytes[index] & mask == other.bytes[index] & mask
    }
  }
}
