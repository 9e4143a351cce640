import Diagnostics
import JSONReading
import MappingLanguage
package import Pipeline
import PlanCompiler

extension LoadedMapping {
  /// Runs the mapping's tests, each on a store in memory.
  package var testRunner: TestRunner {
    TestRunner(mapping: mapping, plan: plan, scope: scope, makeStore: StoreAddress.temporary, read: Self.sample)
  }

  /// A file that a test names; nil when it is not there. It may be read several times, so a pipe is none.
  static func sample(_ name: Located<String>) -> BodySource? {
    let place = place(of: name)
    return FileText.isReadableFile(place) && !FileText.isFolder(place) && !FileText.isSpecial(place)
      ? .file(place) : nil
  }

  /// The path of a sample: relative to the file that names it.
  private static func place(of name: Located<String>) -> String {
    let file = name.span.file.name
    guard !name.value.hasPrefix("/"), let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return name.value }
    return file[...slash] + name.value
  }
}
