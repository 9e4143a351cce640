import Glibc

/// Graphviz's program `dot`, run as a child.
enum GraphDrawing {
  enum Outcome {
    case drawn([UInt8])
    case notThere
    case failed(String)
  }

  /// What goes in and out lies in files without a name, so that neither side waits for the other.
  static func svg(of graph: String) -> Outcome {
    guard let input = tmpfile(), let output = tmpfile(), let errors = tmpfile() else {
      return .failed("no temporary file can be made: \(String(cString: strerror(errno)))")
    }
    defer { for file in [input, output, errors] { fclose(file) } }
    let bytes = Array(graph.utf8)
    guard fwrite(bytes, 1, bytes.count, input) == bytes.count, fflush(input) == 0, fseek(input, 0, SEEK_SET) == 0 else {
      return .failed("the graph cannot be handed on: \(String(cString: strerror(errno)))")
    }
    let (code, status) = run(["dot", "-Tsvg"], [fileno(input), fileno(output), fileno(errors)])
    if code == ENOENT { return .notThere }
    guard code == 0 else { return .failed(String(cString: strerror(code))) }
    let drawing = contents(of: output)
    guard status == 0, !drawing.isEmpty else {
      let words = String(decoding: contents(of: errors).prefix(500), as: UTF8.self)
      return .failed(words.isEmpty ? "it ended with status \(status)" : words)
    }
    return .drawn(drawing)
  }

  /// The error of starting it, and how it ended.
  private static func run(_ arguments: [String], _ descriptors: [Int32]) -> (code: Int32, status: Int32) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
    guard code == 0 else { return (code, 0) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return (errno, 0) }
    }
    return (0, status)
  }

  private static func contents(of file: UnsafeMutablePointer<FILE>) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    fseek(file, 0, SEEK_SET)
    // Ends: a file has an end.
    while true {
      let count = fread(&part, 1, part.count, file)
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }
}
