import Glibc

/// The proxy that the environment names, as libcurl looks for it. `no_proxy` may except hosts from it.
package enum EnvironmentProxy {
  /// Nil when no variable does. `HTTP_PROXY` is none of them: in a CGI script, whoever asks can set it.
  package static func find(
    for scheme: String, in environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) -> (variable: String, url: String)? {
    let own = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    for name in own + ["all_proxy", "ALL_PROXY"] {
      if let url = environment(name), !url.isEmpty { return (name, url) }
    }
    return nil
  }
}
