/// Diagnostics in the forms that people and programs read: a file for each form, all with the same places.
///
/// The order is the caller's: `inOrder()` gives the one that is meant for reports.
package enum DiagnosticPrinter {}
