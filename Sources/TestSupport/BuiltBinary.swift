package import Foundation
import Glibc

/// The product `ingest` as it was built beside the tests, run as a program of its own.
package enum BuiltBinary {
  package struct Outcome: Sendable {
    /// The exit status, or minus the signal that ended it.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]

    package var stdout: String { String(decoding: output, as: UTF8.self) }
    package var stderr: String { String(decoding: errors, as: UTF8.self) }
  }

  package enum Output: Sendable {
    case kept
    /// A pipe that nobody reads.
    case closedPipe
    case file(String)
    /// No standard output at all.
    case absent
  }

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - input: standard input, empty when left out.
  ///   - environment: all of it, save `PATH`; that of the tests is not handed on.
  ///   - folder: the working folder; an empty one of its own when left out.
  ///   - limit: seconds after which it is killed, and this throws.
  package static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:], in folder: URL? = nil,
    output: Output = .kept, limit: Double = 60
  ) throws -> Outcome {
    let scratch = try TemporaryFolder()
    let workplace = try TemporaryFolder()
    try scratch.write("in", bytes: input)
    let process = try start(
      arguments, environment: environment, in: folder?.path ?? workplace.path, scratch: scratch, output: output)
    let status = try wait(for: process, limit: limit)
    let kept = if case .kept = output { try scratch.read("out") } else { [UInt8]() }
    return Outcome(status: status, output: kept, errors: try scratch.read("err"))
  }

  /// The program, in the folder of the tests' own executable.
  package static var path: String {
    get throws {
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let path = URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("ingest").path
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw FixtureError("the product 'ingest' is not built beside the tests: run swift build first")
      }
      return path
    }
  }

  private static func start(
    _ arguments: [String], environment: [String: String], in folder: String, scratch: TemporaryFolder, output: Output
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var pipeEnds: [Int32] = []
    defer { pipeEnds.forEach { close($0) } }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, scratch.path("in"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, scratch.path("err"), O_WRONLY | O_CREAT, 0o600)
    switch output {
    case .kept:
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, scratch.path("out"), O_WRONLY | O_CREAT, 0o600)
    case .file(let path):
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY, 0)
    case .absent:
      posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
    case .closedPipe:
      let writer = try pipeWithoutReader(at: scratch.path("pipe"))
      pipeEnds.append(writer)
      posix_spawn_file_actions_adddup2(&actions, writer, STDOUT_FILENO)
    }
    let variables = environment.merging([
      "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "INGEST_AS_ROOT": "1",
    ]) { own, _ in own }
    // env(1) changes the folder and becomes the program: posix_spawn cannot be told by Swift.
    let words = try ["env", "-C", folder, path] + arguments
    return try spawn("/usr/bin/env", words, variables.map { "\($0)=\($1)" }, &actions)
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String], _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let arguments = arguments.map { strdup($0) }
    let environment = environment.map { strdup($0) }
    defer { (arguments + environment).forEach { free($0) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, program, &actions, &attributes, arguments + [nil], environment + [nil])
    guard status == 0 else { throw FixtureError("\(program) does not start: \(String(cString: strerror(status)))") }
    return process
  }

  /// A pipe with a name, since only such ends can be opened so that no other program inherits them.
  private static func pipeWithoutReader(at path: String) throws -> Int32 {
    guard mkfifo(path, 0o600) == 0 else { throw FixtureError("no pipe can be made") }
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let writer = open(path, O_WRONLY | O_CLOEXEC)
    guard reader >= 0, writer >= 0 else { throw FixtureError("no pipe can be opened") }
    return writer
  }

  private static func wait(for process: pid_t, limit: Double) throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: limit)
    var status: Int32 = 0
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F) }
      if ended == -1 && errno != EINTR { throw FixtureError("the program is lost") }
      if Date() > deadline {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        throw FixtureError("the program has not ended after \(limit) seconds")
      }
      usleep(2000)
    }
  }
}
