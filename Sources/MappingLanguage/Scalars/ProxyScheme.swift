/// The schemes of proxies.
package enum ProxyScheme: String, Sendable, CaseIterable {
  case http, https, socks4, socks4a, socks5, socks5h
}
