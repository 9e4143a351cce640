import MappingLanguage

/// `ingest schema`.
struct SchemaCommand: CommandBody {
  let invocation: SchemaInvocation

  func run(on console: Console) -> ExitCode {
    switch invocation.format {
    case .jsonSchema:
      console.output.append(LanguageSchema.json())
      return .done
    }
  }
}
