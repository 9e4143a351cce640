import Glibc
import Synchronization

/// Where the system keeps its time zones: `TZDIR`, or /usr/share/zoneinfo.
enum TimeZoneFolder {
  enum Failure: Error {
    case noFolder(String)
    case unknown(nearest: String?)
  }

  /// `setting` is the value of `TZDIR`.
  static func path(_ setting: String?) -> String {
    guard let setting, !setting.isEmpty else { return "/usr/share/zoneinfo" }
    return setting
  }

  static var path: String { path(getenv("TZDIR").map { String(cString: $0) }) }

  /// Zones that were read before, by their paths.
  private static let known = Mutex<[String: TimeZoneRules]>([:])

  /// The rules of a zone; nil for UTC, which needs none.
  static func rules(named name: String, in folder: String) throws(Failure) -> TimeZoneRules? {
    if name == "UTC" { return nil }
    guard isSafe(name) else { throw .unknown(nearest: nil) }
    let path = folder + "/" + name
    if let rules = known.withLock({ $0[path] }) { return rules }
    if let bytes = read(path), let rules = TZifFile.read(bytes) {
      known.withLock { $0[path] = rules }
      return rules
    }
    guard access(folder, R_OK) == 0 else { throw .noFolder(folder) }
    throw .unknown(nearest: nearest(to: name, in: folder))
  }

  /// A zone's name is a path that stays below the folder.
  private static func isSafe(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let letters = name.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "/_+-".utf8.contains($0) }
    return letters && name.utf8.count <= 64 && parts.allSatisfy { !$0.isEmpty }
  }

  /// A regular file's bytes, up to 1 MB.
  private static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      }
      if count <= 0 { return nil }
      done += count
    }
    return bytes
  }

  /// The zone somebody may have meant: of the table of zones, if the system has one.
  private static func nearest(to name: String, in folder: String) -> String? {
    let table = read(folder + "/tzdata.zi") ?? []
    var names: [String] = ["UTC"]
    for line in table.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      if line.first == UInt8(ascii: "Z"), words.count > 1 { names.append(String(decoding: words[1], as: UTF8.self)) }
      if line.first == UInt8(ascii: "L"), words.count > 2 { names.append(String(decoding: words[2], as: UTF8.self)) }
    }
    return NearestName.of(name, among: names)
  }
}

extension TimeZoneRules {
  /// The rules of an IANA zone; nil for UTC, which needs none.
  ///
  /// Its issue names the missing folder when the system has no time zones at all.
  package static func named(_ name: String) throws(ConversionIssue) -> TimeZoneRules? {
    try named(name, in: TimeZoneFolder.path)
  }

  static func named(_ name: String, in folder: String) throws(ConversionIssue) -> TimeZoneRules? {
    do throws(TimeZoneFolder.Failure) {
      return try TimeZoneFolder.rules(named: name, in: folder)
    } catch {
      throw issue(error, about: name)
    }
  }

  private static func issue(_ failure: TimeZoneFolder.Failure, about name: String) -> ConversionIssue {
    switch failure {
    case .noFolder(let folder):
      ConversionIssue(
        .timeZone, .unknownTimeZone, "time zone '\(name)' cannot be read: there is no folder \(folder)",
        hint: "install the package tzdata, or set TZDIR")
    case .unknown(let nearest):
      ConversionIssue(
        .timeZone, .unknownTimeZone, "no time zone is named '\(name)'", hint: nearest.map { "did you mean '\($0)'?" })
    }
  }
}
