import Glibc
import IngestCLI

exit(IngestCommand.main(CommandLine.arguments))
