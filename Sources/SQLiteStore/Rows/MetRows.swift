import Glibc
import Records

/// Rows of one table that were met lately, as they came: one that comes once more just so changes nothing, and nobody
/// needs to look for what is stored. Users, labels and the like, nested in many records, come again and again.
///
/// It holds as long as nobody but the table's writer changes rows, and nothing is deleted. A key has one place, where its
/// latest row is, so that a row that was changed since is not taken for the stored one. Rows of more than `width` bytes
/// are not kept.
final class MetRows {
  private static let places = 4096
  private static let width = 256
  /// After so many looks it is given up when fewer than one in 16 were worth it.
  private static let trial = 2048

  private let scope: BodyScope
  /// The key's columns, then those that are compared.
  private let columns: [Int]
  private let keyCount: Int
  /// `places` rows of `width` bytes, and one for the row at hand; made when the first one is looked for.
  private var memory: [UInt8] = []
  private var lengths: [UInt16] = []
  /// What `scope` had counted when the row was kept.
  private var generations: [UInt64] = []
  /// Of the row at hand; nil when it is too long.
  private var place: Int?
  private var length = 0
  private var looks = 0
  private var hits = 0
  private var isGivenUp = false

  init(_ sql: TableSQL, scope: BodyScope) {
    self.scope = scope
    columns = sql.shape.primaryKey + sql.compared.map { sql.values[$0] }
    keyCount = sql.shape.primaryKey.count
  }

  /// Whether the latest row of its key was the same.
  func contains(_ cells: [Cell], at base: Int) -> Bool {
    if isGivenUp { return false }
    if memory.isEmpty { open() }
    looks += 1
    if looks == Self.trial, hits < Self.trial / 16 {
      isGivenUp = true
      memory = []
      return false
    }
    place = take(cells, at: base)
    guard let place, generations[place] == scope.generation, Int(lengths[place]) == length else { return false }
    let isSame = unsafe memory.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memcmp(start + place * Self.width, start + Self.places * Self.width, length) == 0
    }
    if isSame { hits += 1 }
    return isSame
  }

  /// The row that was just looked for is stored now.
  func note() {
    guard !isGivenUp, let place else { return }
    lengths[place] = UInt16(length)
    generations[place] = scope.generation
    unsafe memory.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe memcpy(start + place * Self.width, start + Self.places * Self.width, length)
    }
  }

  private func open() {
    memory = Array(repeating: 0, count: (Self.places + 1) * Self.width)
    lengths = Array(repeating: 0, count: Self.places)
    generations = Array(repeating: .max, count: Self.places)
  }

  /// Puts the row behind the kept ones, each cell with its kind and rule; gives the place of its key.
  private func take(_ cells: [Cell], at base: Int) -> Int? {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    length = 0
    return unsafe memory.withUnsafeMutableBytes { bytes -> Int? in
      let row = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(Self.places * Self.width)...])
      for (number, column) in columns.enumerated() {
        let cell = cells[base + column]
        guard unsafe put(cell, into: row) else { return nil }
        if number == keyCount - 1 {
          for index in 0..<length { hash = unsafe (hash ^ UInt64(row[index])) &* 0x100_0000_01b3 }
        }
      }
      // The last bits of a product hang on too few of the factors' bits.
      return Int(truncatingIfNeeded: (hash ^ hash >> 29) % UInt64(Self.places))
    }
  }

  private func put(_ cell: Cell, into row: UnsafeMutableRawBufferPointer) -> Bool {
    let count =
      switch cell.kind {
      case .missing, .null: 2
      case .integer, .real: 10
      case .text, .bytes: 6 + Int(cell.length)
      }
    guard length + count <= Self.width else { return false }
    unsafe row[length] = cell.kind.rawValue
    unsafe row[length + 1] = cell.rule.rawValue
    switch cell.kind {
    case .missing, .null: break
    case .integer, .real: unsafe row.storeBytes(of: cell.payload, toByteOffset: length + 2, as: UInt64.self)
    case .text, .bytes:
      unsafe row.storeBytes(of: cell.length, toByteOffset: length + 2, as: UInt32.self)
      if cell.length > 0 {
        unsafe UnsafeMutableRawBufferPointer(rebasing: row[(length + 6)..<(length + count)]).copyMemory(
          from: cell.rawBytes)
      }
    }
    length += count
    return true
  }
}
