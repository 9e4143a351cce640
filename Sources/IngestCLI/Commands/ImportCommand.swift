import Drafting
import Fetch
import Setup
import JSONReading
import Pipeline

/// `ingest import`: drafts a mapping from a description of an API.
struct ImportCommand: CommandBody {
  let invocation: ImportInvocation

  /// Of a packed file: how many times larger it may become.
  private static let ratio = 200

  func run(on console: Console) -> ExitCode {
    let file = invocation.file
    if file != "-" {
      guard !FileText.isFolder(file) else {
        console.error("'\(file)' is a folder: name one file")
        return .usage
      }
      guard FileText.isReadableFile(file) else {
        console.error("the file '\(file)' is not there, or cannot be read")
        return .usage
      }
    }
    let end = PromptEnd.start(on: console)
    defer { end.stop() }
    let name = file == "-" ? "standard input" : file
    let title = [
      "Drafted by 'ingest import \(invocation.kind.rawValue)' from \(name).",
      "What is described is not always what is answered: look at it.",
    ]
    do {
      let (draft, notes) = try draft(try bytes(of: file), name, title)
      guard !draft.isEmpty else {
        DraftPrinter(draft: draft, notes: notes).printNotes(on: console)
        console.error(
          "\(name): nothing of it could be carried over: write the mapping by hand, or draft it from answers by "
            + "'ingest infer'")
        return .failed
      }
      return DraftPrinter(draft: draft, notes: notes).print(on: console)
    } catch let error as Description.Failure {
      console.error(error.message)
      console.log(error.diagnostics)
      return .failed
    } catch let error as FetchError {
      console.error("\(name): \(error.message)")
      return .failed
    } catch {
      console.error("\(name): \(error)")
      return .failed
    }
  }

  private func draft(
    _ bytes: [UInt8], _ name: String, _ title: [String]
  ) throws(Description.Failure) -> (MappingDraft, [DraftNote]) {
    let description = try Description(bytes, named: name)
    switch invocation.kind {
    case .openapi: return try OpenAPIImport.draft(description, title: title)
    case .airbyte: return try AirbyteImport.draft(description, title: title, stem: stem)
    case .har: return try HARImport.draft(description, title: title)
    }
  }

  /// The file's name, or its folder's where it is only called `manifest`.
  private var stem: String {
    let parts = invocation.file.split(separator: "/")
    let name = parts.last.map { $0.prefix { $0 != "." } } ?? ""
    return String(name == "manifest" ? parts.dropLast().last ?? "api" : name)
  }

  private func bytes(of file: String) throws(FetchError) -> [UInt8] {
    let body =
      file == "-"
      ? try InputBody(ratio: Self.ratio, isKept: true, isInterrupted: { false })
      : try InputBody(file: file, ratio: Self.ratio, isInterrupted: { false })
    var bytes: [UInt8] = []
    try body.source.forEachPart { (part) throws(FetchError) in bytes += part }
    withExtendedLifetime(body) {}
    return bytes
  }
}
