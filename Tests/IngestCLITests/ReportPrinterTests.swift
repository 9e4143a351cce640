import IngestCLI
import Pipeline
import Records
import TestSupport
import Testing

struct ReportPrinterTests {
  private func summary(rejected: Int) -> RunSummary {
    var users = RunSummary.Counts(record: "User")
    (users.received, users.inserted, users.unchanged, users.rejected) = (1000 + rejected, 7, 993, rejected)
    var tags = RunSummary.Counts(record: "User.tags")
    (tags.received, tags.deleted, tags.skipped, tags.filtered, tags.updated) = (10, 1, 2, 3, 4)
    var summary = RunSummary(source: "shop")
    summary.records = [users, tags]
    for number in 0..<rejected {
      let rejection = Rejection(
        record: "User", pointer: number == 1 ? "" : "/users/\(number)", field: number == 0 ? nil : "id",
        reason: "integer expected, a text of 3 bytes\u{1B} found", value: [], context: nil, body: 0, endpoint: "list")
      summary.show(rejection, from: BodyName("a\nb.ndjson", line: number == 2 ? 5 : nil))
    }
    return summary
  }

  struct Form: Sendable, CustomTestStringConvertible {
    let name: String
    let format: LoggingOptions.Format
    let verbosity: LoggingOptions.Verbosity
    let isStored: Bool
    let rejected: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Form(name: "text", format: .text, verbosity: .normal, isStored: true, rejected: 12),
    Form(name: "json", format: .json, verbosity: .normal, isStored: true, rejected: 12),
    Form(name: "mapped", format: .text, verbosity: .normal, isStored: false, rejected: 12),
    Form(name: "quiet", format: .text, verbosity: .quiet, isStored: true, rejected: 1),
    Form(name: "clean", format: .text, verbosity: .normal, isStored: true, rejected: 0),
  ])
  func `a report says what became of all that was received`(_ form: Form) throws {
    let summary = summary(rejected: form.rejected)
    let captured = try CapturedConsole(LoggingOptions(format: form.format, verbosity: form.verbosity))
    ReportPrinter(isStored: form.isStored).print(summary, on: captured.console)
    try Fixture("report/\(form.name)").expectGolden(try captured.errors, suffix: "txt")
    if form.format == .json { #expect(try captured.objects.count == 2 + 1 + 10 + 1 + 1) }
    #expect(try captured.output == "")
    #expect(summary.records.filter { !$0.isBalanced } == [])
  }

  @Test(arguments: [true, false])
  func `rows that were swept have a column where there are some`(_ isText: Bool) throws {
    var summary = RunSummary(source: "shop")
    var users = RunSummary.Counts(record: "User")
    (users.received, users.unchanged) = (2, 2)
    for swept in [0, 3] {
      users.swept = swept
      summary.records = [users]
      let captured = try CapturedConsole(LoggingOptions(format: isText ? .text : .json, verbosity: .normal))
      ReportPrinter(isStored: true).print(summary, on: captured.console)
      let text = try captured.errors
      if isText {
        #expect(text.contains("rejected  swept\n") == (swept > 0) && text.contains("    3\n") == (swept > 0), "\(text)")
      } else {
        #expect(text.contains("\"swept\":\(swept)") || text.contains("\"swept\": \(swept)"), "\(text)")
        #expect(text.contains("3 swept") == (swept > 0))
      }
    }
  }

  @Test func `a run that received nothing says so`() throws {
    let captured = try CapturedConsole()
    ReportPrinter(isStored: true).print(RunSummary(source: "shop"), on: captured.console)
    #expect(try captured.errors == "shop: nothing was received\n")
  }

  @Test func `rejections of all runs count against one limit`() {
    let runs = [summary(rejected: 0), summary(rejected: 12)]
    #expect(ExitCode.after(runs, allowing: nil) == .rejections)
    #expect(ExitCode.after(runs, allowing: .count(11)) == .rejections)
    #expect(ExitCode.after(runs, allowing: .count(12)) == .done)
    #expect(ExitCode.after(runs, allowing: .share(thousandths: 600)) == .done)
    #expect(ExitCode.after(runs, allowing: .share(thousandths: 590)) == .rejections)
    #expect(ExitCode.after([runs[0]], allowing: .count(0)) == .done)
  }

  @Test func `of several codes the worst is 130, then 2, 1, 3`() {
    let order: [ExitCode] = [.done, .rejections, .failed, .usage, .interrupted]
    for (index, code) in order.enumerated() {
      #expect(ExitCode.worst(Array(order[0...index].reversed())) == code)
    }
    #expect(ExitCode.worst([]) == .done)
  }
}
