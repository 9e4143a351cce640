package import JSONReading
package import Records

package final class JQProgram: Sendable {
  package struct Fault: Error { package var message: String; package var hint: String? }
  package init(_ text: String) throws(Fault) { throw Fault(message: "'jq' is not available yet in this version of ingest") }
}
package enum JQResult { case missing, value(RawValue), invalid(String), timeOut }
package final class JQRunner {
  package init(_ program: JQProgram) {}
  package func run(on value: JSONValue, arena: ByteArena) -> JQResult { .missing }
}
