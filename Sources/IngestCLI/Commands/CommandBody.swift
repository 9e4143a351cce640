/// What a command does once its arguments are read.
package protocol CommandBody {
  /// Results go to the console's output, all else is a message. Errors are reported here, not thrown.
  func run(on console: Console) -> ExitCode
}
