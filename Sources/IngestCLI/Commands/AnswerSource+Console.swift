import Diagnostics
import Pipeline
import Setup

extension AnswerSource {
  /// Says what there is to be said of the way to servers; what is wrong with it is thrown, or among `hasErrors`.
  init(_ preparation: Preparation, recorded: String?, on console: Console) throws(PipelineError) {
    try self.init(preparation.loaded, redactor: preparation.redactor, recorded: recorded)
    console.log(findings)
    for note in notes { console.info(note) }
  }
}
