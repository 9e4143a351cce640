import Diagnostics
import Setup
import MappingLanguage
import Pipeline
import PlanCompiler
import Records
import SchemaText
import Store

/// `ingest schema`: the tables of a mapping, without a database.
struct SchemaCommand: CommandBody {
  let invocation: SchemaInvocation

  func run(on console: Console) -> ExitCode {
    guard let mapping = invocation.mapping else {
      console.output.append(LanguageSchema.json())
      return .done
    }
    do throws(Preparation.Failure) {
      return try print(try Preparation(lookingBy: mapping, on: console).loaded, on: console)
    } catch {
      return error.code
    }
  }

  private func print(_ loaded: LoadedMapping, on console: Console) throws(Preparation.Failure) -> ExitCode {
    let shapes = loaded.plan.shapes
    switch invocation.format {
    case .sql:
      let isPostgres = invocation.dialect.map { $0 == .postgres } ?? url(loaded).hasPrefix("postgres")
      return isPostgres ? printPostgres(shapes, on: console) : printSQLite(loaded.plan, on: console)
    case .mermaid: console.output.append(MermaidSchema.text(shapes))
    case .dot: console.output.append(DotSchema.text(shapes))
    case .svg: return draw(DotSchema.text(shapes), on: console)
    case .datasette:
      let node = DatasetteMetadata.node(
        shapes, title: loaded.plan.source, database: database(loaded),
        bookkeeping: try bookkeeping(beside: loaded.plan, on: console))
      console.output.append(node.text + "\n")
    case .jsonSchema: preconditionFailure("the language's schema needs no mapping")
    }
    return .done
  }

  /// As far as it is known: what it takes to open the store need not be.
  private func url(_ loaded: LoadedMapping) -> String {
    if let url = try? StoreAddress.url(option: invocation.store, mapping: loaded.mapping, scope: loaded.scope) {
      return url
    }
    guard case .text(let beginning)? = loaded.mapping.store?.url?.value.pieces.first else { return "" }
    return beginning
  }

  /// As Datasette names it: the file's name without its ending.
  private func database(_ loaded: LoadedMapping) -> String {
    let url = url(loaded)
    guard url.hasPrefix("sqlite:"), let name = url.dropFirst("sqlite:".count).split(separator: "/").last else {
      return loaded.plan.source
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count < 2 || parts[0].isEmpty ? String(name) : parts.dropLast().joined(separator: ".")
  }

  // MARK: SQL

  /// What the first run would do in an empty database.
  private func printSQLite(_ plan: Plan, on console: Console) -> ExitCode {
    do {
      let store = try StoreAddress.temporary()
      let steps = try store.plan(StoreSchema(plan))
      try store.close()
      for step in steps.steps {
        if step.kind == .createTable,
          let shape = plan.shapes.first(where: { $0.name.utf8.elementsEqual(step.table.utf8) })
        {
          for line in SchemaComments.lines(on: shape) { console.output.append(line + "\n") }
        }
        for statement in step.sql { console.output.append(statement + ";\n") }
      }
      for obstacle in steps.obstacles { console.error(obstacle) }
      return steps.obstacles.isEmpty ? .done : .usage
    } catch {
      return console.report(error)
    }
  }

  private func printPostgres(_ shapes: [TableShape], on console: Console) -> ExitCode {
    let schema = PostgresSchema(shapes)
    for obstacle in schema.obstacles { console.error(obstacle) }
    for statement in schema.statements { console.output.append(statement + ";\n") }
    return schema.obstacles.isEmpty ? .done : .usage
  }

  private func bookkeeping(beside plan: Plan, on console: Console) throws(Preparation.Failure) -> [String] {
    do {
      return try StoreAddress.bookkeepingTables(beside: StoreSchema(plan))
    } catch {
      throw Preparation.Failure(code: console.report(error))
    }
  }

  // MARK: drawings

  private func draw(_ graph: String, on console: Console) -> ExitCode {
    switch GraphDrawing.svg(of: graph) {
    case .drawn(let bytes):
      bytes.withUnsafeBytes { console.output.append($0) }
      return .done
    case .notThere:
      console.error(
        "svg is drawn by Graphviz's program 'dot', which is not on the PATH",
        hint: "install graphviz, or draw what --format dot prints elsewhere")
    case .failed(let reason): console.error("'dot' could not draw the schema: \(reason)")
    }
    return .failed
  }
}
