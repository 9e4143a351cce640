extension DiagnosticCode {
  /// What it means, and what to do: the text of `ingest explain`, and of docs/diagnostics.md.
  package var explanation: DiagnosticExplanation {
    switch self {
    case .yamlSyntax: .yamlSyntax
    case .duplicateKey: .duplicateKey
    case .unknownAlias: .unknownAlias
    case .yamlLimit: .yamlLimit
    case .badInclude: .badInclude
    case .missingVersion: .missingVersion
    case .unknownVersion: .unknownVersion
    case .unknownKey: .unknownKey
    case .wrongKind: .wrongKind
    case .missingKey: .missingKey
    case .badValue: .badValue
    case .conflictingKeys: .conflictingKeys
    case .unknownRecord: .unknownRecord
    case .unknownType: .unknownType
    case .unknownColumn: .unknownColumn
    case .unknownEndpoint: .unknownEndpoint
    case .badKeyPath: .badKeyPath
    case .badDatePattern: .badDatePattern
    case .unknownTimeZone: .unknownTimeZone
    case .badRegularExpression: .badRegularExpression
    case .badInterpolation: .badInterpolation
    case .unknownVariable: .unknownVariable
    case .unknownParameter: .unknownParameter
    case .duplicateColumn: .duplicateColumn
    case .duplicateTable: .duplicateTable
    case .duplicateName: .duplicateName
    case .duplicateDescriptor: .duplicateDescriptor
    case .reservedName: .reservedName
    case .badName: .badName
    case .storeLimit: .storeLimit
    case .badIdentity: .badIdentity
    case .badRelationship: .badRelationship
    case .badConstant: .badConstant
    case .badPattern: .badPattern
    case .badURL: .badURL
    case .unused: .unused
    case .failingTest: .failingTest
    case .unreadableFile: .unreadableFile
    case .insecure: .insecure
    case .secretInClear: .secretInClear
    case .badProgram: .badProgram
    case .badSQL: .badSQL
    case .badAllow: .badAllow
    case .shadowedPath: .shadowedPath
    case .unmatchedPath: .unmatchedPath
    }
  }
}
