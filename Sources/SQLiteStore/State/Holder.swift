import Glibc
import Synchronization

/// A process that holds a source, in the words of `_ingest_state`.
///
/// A process number alone would not do: numbers come again, and other hosts and containers have their own.
struct Holder {
  var process: Int32
  /// When the process began, in ticks since the boot.
  var started: String
  /// The boot of the machine, and the name space of process numbers.
  var machine: String
  var host: String
  /// Tells two stores of one process apart.
  var number: Int
  var since: String

  private static let active = Mutex<Set<Int>>([])
  private static let numbers = Atomic<Int>(0)

  /// This process; it holds until `release`.
  static func current(since: String) -> Holder {
    let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
    active.withLock { _ = $0.insert(number) }
    let process = getpid()
    return Holder(
      process: process, started: startOf(process) ?? "", machine: machineNow, host: hostNow, number: number,
      since: since)
  }

  func release() { Holder.active.withLock { _ = $0.remove(number) } }

  /// Spaces part the members; none holds one.
  var text: String { "\(process) \(started) \(machine) \(host) \(number) \(since)" }

  init?(_ text: String) {
    let parts = text.split(separator: " ", maxSplits: 5).map(String.init)
    guard parts.count == 6, let process = Int32(parts[0]), let number = Int(parts[4]) else { return nil }
    self.init(
      process: process, started: parts[1], machine: parts[2], host: parts[3], number: number, since: parts[5])
  }

  init(process: Int32, started: String, machine: String, host: String, number: Int, since: String) {
    self.process = process
    self.started = started
    self.machine = machine
    self.host = host
    self.number = number
    self.since = since
  }

  enum Life { case alive, gone, unknown }

  /// Of a process of another machine or container nothing is known, save that a boot ends all that ran before it.
  var life: Life {
    guard machine == Holder.machineNow else { return isOfEarlierBoot ? .gone : .unknown }
    guard let now = Holder.startOf(process), now == started else { return .gone }
    guard process == getpid() else { return .alive }
    return Holder.active.withLock { $0.contains(number) } ? .alive : .gone
  }

  private var isOfEarlierBoot: Bool {
    let (own, other) = (Holder.machineNow.split(separator: "/"), machine.split(separator: "/"))
    return host == Holder.hostNow && own.count == 2 && other.count == 2 && own[0] != other[0]
  }

  private static let machineNow: String = {
    let boot = contents("/proc/sys/kernel/random/boot_id").split(separator: "\n").first.map(String.init) ?? "-"
    var target = [CChar](repeating: 0, count: 64)
    let length = unsafe readlink("/proc/self/ns/pid", &target, target.count)
    let space = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "\(boot)/\(space.isEmpty ? "-" : space)"
  }()

  private static let hostNow: String = {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count) == 0 else { return "-" }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.map { $0 == 0x20 ? 0x2D : $0 }
    return bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
  }()

  /// Nil when there is no such process, or it has ended and only its number is left.
  private static func startOf(_ process: Int32) -> String? {
    // The second member is the program's name, in parentheses, with anything in it.
    guard let rest = contents("/proc/\(process)/stat").split(separator: ")").last else { return nil }
    let members = rest.split(separator: " ")
    guard members.count > 19, members[0] != "Z", members[0] != "X" else { return nil }
    return String(members[19])
  }

  private static func contents(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
