import JSONReading

/// A key path that is being put together.
struct DraftPath: Hashable {
  enum Step: Hashable {
    case member(JSONName)
    case eachMember
    case eachElement
    case element(Int)
  }

  var steps: [Step] = []

  func appending(_ step: Step) -> DraftPath { DraftPath(steps: steps + [step]) }
  func member(_ name: JSONName) -> DraftPath { appending(.member(name)) }

  /// As a mapping has it; `.` is the value itself.
  var text: String {
    var text = ""
    for step in steps {
      switch step {
      case .member(let name): text += (text.isEmpty ? "" : ".") + KeyPath.quotedIfNeeded(name.description)
      case .eachMember: text += text.isEmpty ? "*" : ".*"
      case .eachElement: text += "[*]"
      case .element(let index): text += "[\(index)]"
      }
    }
    return text.isEmpty ? "." : text
  }

  /// The names on the way.
  var names: [String] {
    steps.compactMap { step in
      if case .member(let name) = step { name.description } else { nil }
    }
  }
}
