/// The commands of `ingest`, in the order of help.
package enum CommandName: String, CaseIterable, Sendable {
  case run, load, map, validate, route, help
  case `try`, record, test, plan, schema, infer, `import`, explain, replay, status, prune, completions
}
