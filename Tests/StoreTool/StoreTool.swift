internal import Foundation
internal import ObjectStore
internal import Synchronization

/// Calls a shared store as the program does, for tests against real servers:
///
///     StoreTool ADDRESS create KEY FILE    prints "created" or "exists"
///     StoreTool ADDRESS fetch KEY FILE     prints "fetched" or "missing"
///     StoreTool ADDRESS read KEY [BYTES]   prints the object's content, or its beginning
///     StoreTool ADDRESS list PREFIX        prints a line "bytes key" for each object
///     StoreTool ADDRESS fill PREFIX COUNT  creates objects PREFIX0, PREFIX1, … with the number as their content, and
///                                          prints how many were new
///
/// An error is printed to standard error, and the exit code is 1. The variable STORE_CLOCK_OFFSET has the number of
/// seconds by which the clock is wrong. STORE_PART_BYTES has the size of parts; larger files are sent in parts.
@main
enum StoreTool {
    static func main() {
        // A server that closes its connection must not end the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch let error as ObjectStoreError {
            fail(error.message)
        } catch let error as AddressProblem {
            fail(error.message)
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(1)
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count > 2 else { fail("usage: StoreTool ADDRESS COMMAND ARGUMENTS") }
        let store = try store(StoreAddress(arguments[0]))
        let (name, last) = (arguments[2], arguments.last ?? "")
        switch arguments[1] {
        case "create": print(try store.create(name, fromFileAt: last) ? "created" : "exists")
        case "fetch": print(try store.fetch(name, toFileAt: last) ? "fetched" : "missing")
        case "read":
            let content = try Int(last).map { try store.read(name, prefix: $0) } ?? store.read(name)
            guard let content else { fail("missing") }
            FileHandle.standardOutput.write(Data(content))
        case "list": for object in try store.list(name) { print("\(object.bytes) \(object.key)") }
        case "fill": print(try fill(store, name, count: Int(last) ?? 0))
        default: fail("unknown command")
        }
    }

    private static func store(_ address: StoreAddress) throws -> any SharedStore {
        let environment = ProcessInfo.processInfo.environment
        switch address {
        case .folder(let path): return try FolderStore(path)
        case .bucket(let name, let prefix):
            let offset = environment["STORE_CLOCK_OFFSET"].flatMap { TimeInterval($0) } ?? 0
            var sizes = UploadSizes()
            if let bytes = environment["STORE_PART_BYTES"].flatMap({ Int64($0) }) {
                (sizes.maxBytesInOneRequest, sizes.part) = (bytes, bytes)
            }
            return S3Store(
                bucket: name, prefix: prefix,
                configuration: try S3Configuration(environment: environment, home: environment["HOME"]),
                now: { Date(timeIntervalSinceNow: offset) }, sizes: sizes)
        }
    }

    /// - Returns: how many objects were new.
    private static func fill(_ store: any SharedStore, _ prefix: String, count: Int) throws -> Int {
        let created = Mutex(0)
        try store.forEach(Array(0..<count)) { (number) throws(ObjectStoreError) in
            if try store.create("\(prefix)\(number)", Array(String(number).utf8)) {
                created.withLock { $0 += 1 }
            }
        }
        return created.withLock { $0 }
    }
}
