import Fetch

/// `netrc: true`: the user name and password that the user's own file has for the host of `base_url`.
struct NetrcLogin {
  let username: String
  let password: String
  private(set) var warnings: [String] = []

  /// The file is `~/.netrc`, or the one that the variable `NETRC` names.
  init(host: String, environment: (String) -> String?) throws(PipelineError) {
    guard let path = NetrcLogin.path(environment) else {
      throw PipelineError(.refused, "'netrc: true' needs a file, and neither NETRC nor HOME is set")
    }
    let file: SmallFile
    do throws(FetchError) {
      file = try SmallFile(path)
    } catch {
      throw PipelineError(.refused, "'netrc: true': \(path) cannot be read: \(error.message)")
    }
    let bare = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
    guard let entry = NetrcFile(file.bytes).entry(for: bare) else {
      throw PipelineError(.refused, "'netrc: true': \(path) has no entry for '\(host)'")
    }
    guard let login = entry.login, let password = entry.password else {
      let missing = entry.login == nil ? "login" : "password"
      throw PipelineError(.refused, "'netrc: true': the entry of \(path) for '\(host)' has no \(missing)")
    }
    (username, self.password) = (login, password)
    if file.isOpenToOthers {
      warnings.append("\(path) can be read by other users (mode \(file.modeText)): chmod 600 keeps it yours")
    }
  }

  private static func path(_ environment: (String) -> String?) -> String? {
    if let named = environment("NETRC"), !named.isEmpty { return named }
    return environment("HOME").map { $0 + "/.netrc" }
  }
}
