import Records

extension Conversion {
  /// A day, a time or a timestamp by the formats, tried strictly in order.
  func date(_ value: RawValue, _ arena: ByteArena) -> Converted {
    // Nearly all timestamps: no list to go through.
    if isPlainTimestamp, value.kind == .text, case .written(let date) = ISODate.read(value.text),
      case .stored(let cell) = store(.written(date), arena)
    {
      return .cell(cell)
    }
    var fault = DateFault.notation
    for format in formats {
      let reading: DateReading
      if type == .time, format == .iso8601 {
        switch value.kind == .text ? ISODate.readTime(value.text) : .fault(.notation) {
        case .time(let time): return .cell(stored(time, arena))
        case .fault(let found): reading = .fault(found)
        }
      } else {
        reading = format.read(value, value.text)
      }
      switch store(reading, arena) {
      case .stored(let cell): return .cell(cell)
      case .fault(let found): fault = found
      }
    }
    if formats.count > 1 {
      return .invalid("\(value.shape) fits none of the \(formats.count) formats of the \(type.rawValue)")
    }
    return .invalid(fault.sentence(about: value, type: type.rawValue))
  }

  private enum Stored {
    case stored(Cell)
    case fault(DateFault)
  }

  private func store(_ reading: DateReading, _ arena: ByteArena) -> Stored {
    switch reading {
    case .fault(let fault): return .fault(fault)
    case .written(let date):
      switch type {
      // The day and the time are as they are written, whatever the offset is.
      case .date: return .stored(stored(date.day, arena))
      case .time: return .stored(stored(date.time, arena))
      default:
        if zone == nil, (date.offset ?? 0) == 0 { return .stored(stored(date.day, date.time, arena)) }
        guard let instant = date.instant(in: zone), let (day, time) = instant.civil else { return .fault(.range) }
        return .stored(stored(day, time, arena))
      }
    case .instant(let instant):
      // An instant has a day and a time of day only somewhere: in the declared zone.
      let offset = type == .timestamp ? 0 : zone?.offset(at: instant.seconds) ?? 0
      guard let (day, time) = instant.civil(offset: offset) else { return .fault(.range) }
      switch type {
      case .date: return .stored(stored(day, arena))
      case .time: return .stored(stored(time, arena))
      default: return .stored(stored(day, time, arena))
      }
    }
  }

  private func stored(_ day: CivilDate, _ arena: ByteArena) -> Cell {
    Self.cell(arena) { DateText.put(day, at: $0) }
  }

  private func stored(_ time: CivilTime, _ arena: ByteArena) -> Cell {
    Self.cell(arena) { DateText.put(time, at: $0) }
  }

  private func stored(_ day: CivilDate, _ time: CivilTime, _ arena: ByteArena) -> Cell {
    Self.cell(arena) { DateText.put(day, time, at: $0) }
  }

  @inline(__always) private static func cell(_ arena: ByteArena, _ put: (DateText.Output) -> Int) -> Cell {
    let out = arena.reserve(DateText.longest + 3)
    let length = put(out.assumingMemoryBound(to: UInt8.self))
    arena.giveBack(DateText.longest + 3 - length)
    return .text(Bytes(start: out, count: length))
  }
}
