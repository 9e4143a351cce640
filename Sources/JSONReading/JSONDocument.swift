/// A whole JSON text in memory, validated: a small body (an error answer, a captured value, an expectation).
package final class JSONDocument: Sendable {
  // Placeholder until the reader is there; see BodyReader.
  package init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    throw JSONError(.syntax, "not there", offset: 0, line: 1)
  }
}
