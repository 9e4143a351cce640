// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: what is imported is what is used, and a warning is an error.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

/// Settings of the targets that wrap a C library: each risk is marked `unsafe`.
let wrapping: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Builds in the faults that Tests/Scripts/broken.py turns on, to show that its checks notice them.
let hasFaults = Context.environment["INGEST_FAULTS"] == "1"

func layer(
  _ name: String, needs dependencies: [Target.Dependency] = [], wrapping wraps: Bool = false,
  linking: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies + (hasFaults ? ["Faults"] : []),
    swiftSettings: (wraps ? wrapping : strict) + (hasFaults ? [.define("FAULTS")] : []),
    linkerSettings: linking)
}

func tests(_ name: String, needs dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + [.target(name: name), "TestSupport"],
    exclude: [], resources: resources, swiftSettings: strict)
}

// Libraries that every command needs are linked as archives, so that a start costs nothing (see docs/architecture.md).
let yaml: [LinkerSetting] = [.linkedLibrary(":libyaml.a")]
let sqlite: [LinkerSetting] = [.linkedLibrary(":libsqlite3.a"), .linkedLibrary("m")]
let pcre2: [LinkerSetting] = [.linkedLibrary(":libpcre2-8.a")]
let compression: [LinkerSetting] = [.linkedLibrary(":libz.a"), .linkedLibrary(":libzstd.a")]

let package = Package(
  name: "ingest",
  products: [
    .library(name: "Ingest", targets: ["Ingest"]),
    .executable(name: "ingest", targets: ["ingest-cli"]),
  ],
  targets: [
    // Layer 0: C libraries and thin shims over them.
    .systemLibrary(name: "CLibYAML", path: "Sources/CLibYAML"),
    .systemLibrary(name: "CSQLite", path: "Sources/CSQLite"),
    .systemLibrary(name: "CPCRE2", path: "Sources/CPCRE2"),
    .systemLibrary(name: "CZlib", path: "Sources/CZlib"),
    .systemLibrary(name: "CZstd", path: "Sources/CZstd"),
    .target(name: "CStage1", linkerSettings: [.linkedLibrary("simdjson")]),
    .target(name: "CJQ", linkerSettings: [.linkedLibrary("jq")]),
    .target(name: "CRowSource"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),

    // Layer 1
    layer("Diagnostics"),
    layer("JSONReading", needs: ["CStage1"]),
    layer("Records", needs: []),

    // Layer 2
    layer("MarkedYAML", needs: ["Diagnostics", "CLibYAML"], wrapping: true, linking: yaml),
    layer("Values", needs: ["JSONReading", "Records", "CPCRE2", "CJQ"], linking: pcre2),

    // Layer 3
    layer("MappingLanguage", needs: ["Diagnostics", "MarkedYAML", "JSONReading", "Records", "Values"]),

    // Layer 4
    layer("Drafting", needs: ["MappingLanguage", "MarkedYAML", "Diagnostics", "JSONReading", "Records", "Values"]),
    layer("PlanCompiler", needs: ["Diagnostics", "MappingLanguage", "JSONReading", "Records", "Values"]),

    // Layer 5
    layer("Mapper", needs: ["PlanCompiler", "JSONReading", "Records", "Values"]),
    layer("Store", needs: ["Records"]),
    layer(
      "SQLiteStore", needs: ["Store", "Records", "Values", "CSQLite", "CRowSource"], wrapping: true, linking: sqlite),
    layer("SchemaText", needs: ["Diagnostics", "Records"]),
    layer("Fetch", needs: ["JSONReading", "CCurl", "CZlib", "CZstd"], linking: compression),

    // Layer 6
    layer(
      "Pipeline",
      needs: [
        "Diagnostics", "MappingLanguage", "PlanCompiler", "Mapper", "Store", "Fetch", "JSONReading", "Records",
        "Values",
      ]),

    // Layer 7: what a run begins with.
    layer(
      "Setup",
      needs: [
        "Diagnostics", "MappingLanguage", "PlanCompiler", "Store", "SQLiteStore", "Fetch", "Pipeline", "JSONReading",
        "Records", "Values",
      ]),

    // Layer 8: the library that people use, and the command.
    layer(
      "Ingest",
      needs: [
        "Setup", "Diagnostics", "MappingLanguage", "PlanCompiler", "Store", "Fetch", "Pipeline", "JSONReading",
        "Records", "Values",
      ]),
    layer(
      "IngestCLI",
      needs: [
        "Setup", "Diagnostics", "MappingLanguage", "PlanCompiler", "Mapper", "Store", "SQLiteStore", "SchemaText",
        "Fetch", "Pipeline", "Drafting", "MarkedYAML",
        "JSONReading", "Records", "Values",
      ]),
    .executableTarget(
      name: "ingest-cli", dependencies: ["IngestCLI"], path: "Sources/ingest", swiftSettings: strict),

    // Tests
    layer("TestSupport", needs: []),
    tests("Diagnostics", needs: []),
    tests("JSONReading", needs: []),
    tests("Records", needs: []),
    tests("MarkedYAML", needs: ["Diagnostics"], resources: [.copy("Fixtures")]),
    tests("Values", needs: ["JSONReading", "Records"]),
    tests(
      "MappingLanguage", needs: ["Diagnostics", "MarkedYAML", "JSONReading", "Records", "Values"],
      resources: [.copy("Fixtures")]),
    tests(
      "PlanCompiler", needs: ["Diagnostics", "MappingLanguage", "JSONReading", "Records", "Values"],
      resources: [.copy("Fixtures")]),
    tests(
      "Mapper", needs: ["Diagnostics", "MappingLanguage", "PlanCompiler", "JSONReading", "Records", "Values"]),
    tests("SQLiteStore", needs: ["Store", "Records"]),
    tests("SchemaText", needs: ["Diagnostics", "Records"]),
    tests("Drafting", needs: ["Diagnostics", "MarkedYAML"]),
    tests("Fetch", needs: ["JSONReading", "CZlib"]),
    tests(
      "Pipeline",
      needs: [
        "Diagnostics", "MappingLanguage", "PlanCompiler", "Store", "SQLiteStore", "Fetch", "JSONReading", "Records",
        "Values",
      ]),
    tests(
      "Setup",
      needs: [
        "Diagnostics", "MappingLanguage", "PlanCompiler", "Fetch", "Pipeline", "Store", "SQLiteStore", "Records",
        "Values",
      ]),
    tests("Ingest", needs: []),
    tests("IngestCLI", needs: ["Diagnostics", "Pipeline", "Records", "Setup"], resources: [.copy("Fixtures")]),
  ],
  cxxLanguageStandard: .cxx17
)

if hasFaults { package.targets.append(.target(name: "Faults", swiftSettings: strict)) }

/// Of the tests these targets alone, "FetchTests,ValuesTests": a shorter build (Tests/Scripts/full/sanitized.py).
if let names = Context.environment["INGEST_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

/// The program that libFuzzer drives, see Tests/Scripts/fuzzing.py; its build has no other product. "readers": without
/// what stores rows, half of the build.
if let parts = Context.environment["INGEST_FUZZ"] {
  let stores = parts != "readers"
  package.products = [.executable(name: "ingest-fuzz", targets: ["ingest-fuzz"])]
  package.targets.append(
    .executableTarget(
      name: "ingest-fuzz",
      dependencies: ["Diagnostics", "Fetch", "JSONReading", "MappingLanguage", "PlanCompiler", "Values"]
        + (stores ? ["Pipeline", "SQLiteStore", "Store"] : []),
      path: "Sources/Fuzz", exclude: stores ? [] : ["StoredRows.swift"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])] + (stores ? [.define("STORES")] : [])))
}
