import GRDB
import Ledger
import TestSupport
import Testing

@Suite("The ledger's statements") struct StatementTests {
    private let folder = TemporaryFolder()

    /// SQLite's query plan for a statement.
    private func plan(_ statement: String) throws -> [String] {
        let path = folder.path + "/ledger.sqlite"
        try Ledger(path: path, gallery: "one").close()
        let arguments = [Int?](repeating: nil, count: statement.count { $0 == "?" })
        return try DatabaseQueue(path: path).read { database in
            let plan = try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(statement)", arguments: .init(arguments))
            return plan.map { $0["detail"] }
        }
    }

    @Test(
        "find rows by a key, or by the beginning of one, and never by going through a table",
        arguments: Statements.lookups)
    func lookups(statement: String) throws {
        let plan = try plan(statement)
        // The highest row identifier of a table is found without a key.
        let keys = ["PRIMARY KEY", "USING COVERING INDEX", "USING INDEX"]
        let isOfHighest = statement.contains("max(number)")
        #expect(
            plan.allSatisfy { line in
                line.hasPrefix("SEARCH") && (isOfHighest || keys.contains { line.contains($0) })
            }, "\(plan)")
        #expect(plan.count == 1, "\(plan)")
    }

    @Test("that write a row find the one to replace by its key", arguments: try Statements.upserts())
    func upserts(statement: String) throws {
        // SQLite refuses one whose key is not that of its table, and plans nothing for others: the insertion itself
        // finds the row.
        #expect(try plan(statement).isEmpty)
    }

    @Test("that read a whole table go through it once, in its own order", arguments: Statements.scans)
    func scans(statement: String) throws {
        let plan = try plan(statement)
        #expect(plan.count == 1 && plan[0].hasPrefix("SCAN"), "\(plan)")
    }
}
