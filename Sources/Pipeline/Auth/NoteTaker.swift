import Fetch

/// Hands on what is to be kept or said, from within what may only throw a fault of fetching.
final class NoteTaker {
  private let note: (FetchNote) throws(PipelineError) -> Void
  /// Why something could not be kept.
  private var problem: PipelineError?

  init(_ note: @escaping (FetchNote) throws(PipelineError) -> Void) { self.note = note }

  func tell(_ said: FetchNote) throws(FetchError) {
    do throws(PipelineError) {
      try note(said)
    } catch {
      problem = error
      throw FetchError(.other, error.message)
    }
  }

  /// Where nothing may be thrown: it is thrown at the next occasion.
  func tell(_ all: [FetchNote]) {
    for said in all where problem == nil { try? tell(said) }
  }

  func throwProblem() throws(FetchError) {
    if let problem { throw FetchError(.other, problem.message) }
  }

  /// Runs what tells by this, and throws what came of it: `failing` puts a fault of fetching into words.
  func run<Result>(
    _ body: () throws(FetchError) -> Result, failing: (FetchError) -> PipelineError
  ) throws(PipelineError) -> Result {
    do throws(FetchError) {
      let result = try body()
      try throwProblem()
      return result
    } catch {
      if let problem { throw problem }
      if error.code == .interrupted { throw .interrupted }
      throw failing(error)
    }
  }
}
