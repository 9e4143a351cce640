import Glibc

/// What libFuzzer calls with each input. The environment's INGEST_FUZZ_TARGET names the part that gets it.
///
/// An input must never end the process; what is besides expected of a part stands in its function.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  chosenTarget.run(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

private let chosenTarget: FuzzTarget = {
  let name = getenv("INGEST_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    preconditionFailure("INGEST_FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue))")
  }
  return target
}()
