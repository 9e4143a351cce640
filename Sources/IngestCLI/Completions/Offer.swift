/// What a shell offers for a value.
enum Offer {
  case nothing, files, folders
  case words([String])

  init(_ option: OptionSpec) {
    self.init(option.placeholder ?? "", option.choices)
  }

  init(_ positional: PositionalSpec) { self.init(positional.placeholder, positional.suggestions) }

  private init(_ placeholder: String, _ words: [String]) {
    switch placeholder {
    case _ where !words.isEmpty: self = .words(words)
    case "FILE", "SAMPLE": self = .files
    case "DIR": self = .folders
    case "METHOD": self = .words(["GET", "POST", "PUT", "PATCH", "DELETE"])
    default: self = .nothing
    }
  }
}
