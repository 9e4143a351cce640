import Fetch
import JSONReading
import Mapper
package import Store

/// Why a body was not taken.
package struct BodyFailure: Error, Sendable {
  package enum Cause: Sendable {
    /// It is no JSON, or breaks a limit.
    case text
    /// Its content type is not read.
    case type
    /// The places are not there.
    case places
    /// A field says `on_invalid: fail`.
    case value
    case store(StoreError)
    /// A signal asked to stop.
    case interrupted
    case other

    /// Does the body's beginning say more about it?
    var isOfText: Bool {
      switch self {
      case .text, .type, .places: true
      case .value, .store, .interrupted, .other: false
      }
    }

    /// May messages show that beginning? A body that is read as JSON holds records, whose values are not told; one without
    /// the mapping's places is the API's word on what is wrong, more often than not, and so is a page for people.
    func shows(_ excerpt: String) -> Bool {
      switch self {
      case .type, .places: true
      case .text: excerpt.utf8.first { $0 > 0x20 } == UInt8(ascii: "<")
      case .value, .store, .interrupted, .other: false
      }
    }
  }

  package var cause: Cause
  /// How reports name the body.
  package var name: String
  /// Of NDJSON, the line at fault; else 1.
  package var line = 1
  /// Short words in kebab-case: what `_ingest_errors` keeps as `code`.
  package var code: String
  package var message: String

  init(_ cause: Cause, name: String, code: String, message: String) {
    self.cause = cause
    self.name = name
    self.code = code
    self.message = message
  }

  init(_ error: any Error, name: String) {
    switch error {
    case let error as BodyFailure: self = error
    case let error as JSONError where error.code == .interrupted:
      self.init(.interrupted, name: name, code: error.code.rawValue, message: error.message)
    case let error as JSONError:
      self.init(
        .text, name: name, code: error.code.rawValue,
        message: "\(error.message) (line \(error.line), byte \(error.offset))")
    case let error as PlaceError: self.init(.places, name: name, code: "no-key-path", message: error.message)
    case let error as MappingFailure:
      let place = error.pointer.isEmpty ? "the record" : error.pointer
      self.init(
        .value, name: name, code: "invalid-value",
        message: "\(place): \(error.record)\(error.field.map { ".\($0)" } ?? ""): \(error.reason)")
    case let error as FetchError:
      self.init(.other, name: name, code: error.code.rawValue, message: error.message)
    case let error as StoreError where error.code == .interrupted:
      self.init(.interrupted, name: name, code: error.code.rawValue, message: error.message)
    case let error as StoreError:
      self.init(.store(error), name: name, code: error.code.rawValue, message: error.message)
    default: self.init(.other, name: name, code: "other", message: "it failed for a reason that has no words")
    }
  }

  init(_ cause: Cause, name: String) {
    if case .store(let error) = cause {
      self.init(cause, name: name, code: error.code.rawValue, message: error.message)
    } else {
      self.init(cause, name: name, code: "other", message: "the body could not be stored")
    }
  }
}

extension BodyFailure {
  /// What a message says behind the name of the body.
  func told(with excerpt: String?) -> String {
    if case .store = cause { return " cannot be stored: \(message)" }
    guard let excerpt, cause.shows(excerpt) else { return ": \(message)" }
    return ": \(message); the body begins: \(excerpt)"
  }
}

/// The places of the mapping are not in a body.
struct PlaceError: Error {
  var message: String

  static func nothingFound(_ places: [(path: String, record: String)], in body: BodySummary) -> PlaceError {
    let wanted = places.map { "'\($0.path)' (\($0.record)): it leads nowhere" }.joined(separator: ", ")
    return PlaceError(message: "none of the key paths is there: \(wanted); \(whatIsThere(in: body))")
  }

  static func whatIsThere(in body: BodySummary) -> String {
    switch body.rootKind {
    case .object: members(body.members)
    case .array: "the body is an array; its key path is '.'"
    case nil: "the body is empty"
    case let kind?: "the body is \(kind.spoken)"
    }
  }

  private static func members(_ names: [String]) -> String {
    names.isEmpty ? "the body has no members" : "the body has \(names.map { "'\($0)'" }.joined(separator: ", "))"
  }
}
