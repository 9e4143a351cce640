import Diagnostics
import Pipeline
import Store

/// Prints where a stored value came from.
struct ValueExplanationPrinter {
  let explanation: ValueExplanation

  init(_ explanation: ValueExplanation) { self.explanation = explanation }

  func print(on console: Console) {
    let key = explanation.key.map { "\($0.name) \($0.value.shown)" }.joined(separator: ", ")
    console.result("\(explanation.table).\(explanation.column) of \(key): \(explanation.stored.shown)")
    let rule = explanation.rule
    if let place = rule.place, let line = rule.line { console.result("  rule    \(place): \(line)") }
    console.result("  source  \(rule.source), type \(rule.type)")
    if let origin = explanation.origin {
      print(origin, on: console)
    } else {
      printNothing(on: console)
    }
    if let run = explanation.trackedRun { console.result("  track   run \(run) changed the row last") }
    for file in explanation.lostFiles where explanation.origin == nil || !explanation.isEqual {
      console.result("  lost    \(file.name), loaded by run \(file.run): \(file.reason)")
    }
  }

  private func print(_ origin: ValueExplanation.Origin, on console: Console) {
    if origin.isRead { console.result("  raw     \(origin.raw ?? "missing")") }
    let record = origin.record.isEmpty ? "the whole body" : origin.record
    if let place = origin.place, !place.utf8.elementsEqual(origin.record.utf8) {
      console.result("  at      \(place), record \(record)")
    } else {
      console.result("  at      \(record)")
    }
    let body = origin.body
    let line = body.line.map { ", line \($0)" } ?? ""
    let kept = body.answer.map { ", answer \($0) of the archive" } ?? ", unchanged since it was loaded"
    console.result("  in      \(body.name)\(line)\(kept)")
    console.result("  run     \(text(of: body))")
    if explanation.isOlder {
      console.result("  kept    bodies of the row as it is now leave the column alone (modified)")
    } else if explanation.bodyCount > 1 {
      let which = explanation.isEqual && origin.isCompared ? "the last one with this value" : "the last one"
      console.result("  seen    in \(explanation.bodyCount) bodies; this is \(which)")
    }
    guard origin.isCompared, !explanation.isEqual else { return }
    let made = origin.mapped.map { "makes \($0.shown) of it" } ?? "leaves the column alone"
    console.result(
      "  differs this mapping \(made): the stored value is older, or was stored under another mapping or changed by hand"
    )
  }

  private func text(of body: ValueExplanation.Body) -> String {
    guard let run = body.run else { return "\(body.runID), which was pruned; endpoint \(body.endpoint)" }
    return "\(run.id): \(run.command) at \(run.startedAt) UTC by \(run.mapping), endpoint \(body.endpoint)"
  }

  private func printNothing(on console: Console) {
    if explanation.hasArchive {
      console.result("  body    no answer of the archive, and no loaded file, holds the row")
    } else if explanation.keepsArchive {
      console.result(
        "  body    not kept: the archive has no answer that may hold the row ('prune' removes those of old runs, and runs "
          + "before 'archive: true' kept none), and no loaded file holds it")
    } else {
      console.result("  body    not kept: there is no archive (archive: true), and no loaded file holds the row")
    }
    for run in explanation.runs {
      console.result("  run     \(run.id): \(run.command) at \(run.startedAt) UTC by \(run.mapping) changed such rows")
    }
  }
}
