import Drafting
import Fetch
import Setup
import JSONReading
import Pipeline

/// `ingest infer`: drafts a mapping from bodies.
struct InferCommand: CommandBody {
  let invocation: InferInvocation

  /// Of packed samples: how many times larger than the file a body may become.
  private static let ratio = 200

  private static let kinds =
    "; samples are JSON, or one JSON value a line, also packed (.gz, .zst): CSV and XML are not read"

  func run(on console: Console) -> ExitCode {
    guard let files = InputFiles.expand(invocation.samples, on: console) else { return .usage }
    let end = PromptEnd.start(on: console)
    defer { end.stop() }
    var drafter = BodyDrafter()
    for (number, file) in files.enumerated() {
      do {
        drafter.add(try sample(file, number: number))
      } catch {
        return report(error, of: file, on: console)
      }
    }
    let shown = files.prefix(5).map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
    let rest = files.count > 5 ? " and \(files.count - 5) more" : ""
    let (draft, notes) = drafter.draft(title: [
      "Drafted by 'ingest infer' from \(shown)\(rest).", "Types and keys are what these bodies show: look at them.",
    ])
    return DraftPrinter(draft: draft, notes: notes).print(on: console)
  }

  private func sample(_ file: String, number: Int) throws -> Sample {
    let body =
      file == "-"
      ? try InputBody(ratio: Self.ratio, isKept: true, isInterrupted: { false })
      : try InputBody(file: file, ratio: Self.ratio, isInterrupted: { false })
    let name = Packing.unpackedName(file).lowercased()
    let isNDJSON = name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl")
    return try withExtendedLifetime(body) {
      try Sample(body.source, stem: stem(of: file), number: number, isNDJSON: isNDJSON)
    }
  }

  /// The file's name without its folder and endings.
  private func stem(of file: String) -> String {
    if file == "-" { return "sample" }
    let name = Packing.unpackedName(String(file.split(separator: "/").last ?? "sample"))
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  private func report(_ error: any Error, of file: String, on console: Console) -> ExitCode {
    switch error {
    case let error as JSONError:
      let advice = error.code == .syntax && error.offset == 0 ? Self.kinds : ""
      console.error("\(file): \(error.message) (line \(error.line), byte \(error.offset))\(advice)")
    case let error as FetchError: console.error("\(file): \(error.message)")
    default: console.error("\(file): \(error)")
    }
    return .failed
  }
}
