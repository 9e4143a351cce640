import Diagnostics
import Fetch
import Setup
import Pipeline
import PlanCompiler
import Values

/// What the commands that run a mapping do first: read secrets and the mapping, say what is wrong with them.
struct Preparation {
  let loaded: LoadedMapping
  /// Keeps what must not be shown out of everything.
  let redactor: Redactor

  /// Why a command cannot begin: it has been said already.
  struct Failure: Error {
    let code: ExitCode
  }

  /// `needsNoSecrets`: answers come from files, so a secret that is not there is no fault; what stands in its place in
  /// the files does so in requests too.
  init(
    mapping path: String, options: InterpolationOptions, needsNoSecrets: Bool = false, trying endpoint: String? = nil,
    on console: Console
  ) throws(Failure) {
    var secrets = try Preparation.secrets(options.secrets, on: console)
    secrets.placeholder = needsNoSecrets ? Redactor.mark : nil
    let settings = options.settings.map { (name: $0.name, value: $0.value) }
    try self.init(
      path, for: .running(settings: settings, secrets: secrets, endpoint: endpoint), secrets: secrets, on: console)
  }

  /// For a command that only looks into the store: it needs no value of a variable, and no secret.
  init(lookingBy path: String, on console: Console) throws(Failure) {
    let secrets = Secrets()
    try self.init(path, for: .looking(secrets: secrets), secrets: secrets, on: console)
  }

  private init(
    _ path: String, for purpose: LoadedMapping.Purpose, secrets: Secrets, on console: Console
  ) throws(Failure) {
    let outcome: LoadedMapping.Outcome
    do throws(LoadedMapping.Failure) {
      outcome = try LoadedMapping.read(path, for: purpose)
    } catch {
      console.error(error.message)
      throw Failure(code: .usage)
    }
    console.log(outcome.diagnostics)
    guard let loaded = outcome.loaded else { throw Failure(code: .usage) }
    self.loaded = loaded
    let redactor = Redactor(secrets: secrets.values(namedIn: loaded.mapping))
    self.redactor = redactor
    console.messages.redaction = { redactor.redact($0) }
    for name in loaded.mapping.secretNames where secrets.isTooShort(name) {
      console.warning("the secret '\(name)' is shorter than 4 characters: it cannot be kept out of running text")
    }
  }

  private static func secrets(_ source: String?, on console: Console) throws(Failure) -> Secrets {
    guard let source else { return Secrets() }
    let file: SecretsFile
    do throws(SecretsFile.Failure) {
      file = try source == "-" ? SecretsFile(descriptor: 0) : SecretsFile(source)
    } catch {
      console.error("the secrets file '\(source)' cannot be read: \(error.reason)")
      throw Failure(code: .usage)
    }
    if let mode = file.openMode {
      console.warning("\(source) can be read by other users (mode \(mode)): chmod 600 keeps it yours")
    }
    switch Secrets.read(file.bytes) {
    case .secrets(let secrets): return secrets
    case .badLine(let line, let reason):
      console.error("\(source):\(line): \(reason)")
      throw Failure(code: .usage)
    }
  }
}

extension Secrets {
  /// Is its value too short to be found in running text?
  fileprivate func isTooShort(_ name: String) -> Bool {
    value(name).map { !$0.isEmpty && $0 != placeholder && Redactor.isTooShort($0) } ?? false
  }
}
