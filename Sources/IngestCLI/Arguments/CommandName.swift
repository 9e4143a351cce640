/// The commands of `ingest`, in the order of help.
package enum CommandName: String, CaseIterable, Sendable {
  case run, load, map, validate, route, plan, help
  case `try`, record, test, schema, infer, `import`, explain, replay, status, prune, completions
}
