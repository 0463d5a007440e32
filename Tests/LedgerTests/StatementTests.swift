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
        "Lookups use an index, and never scan a table",
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

    @Test("Statements that write a row find the row to replace by its key", arguments: try Statements.upserts())
    func upserts(statement: String) throws {
        // SQLite refuses a conflict clause whose key is not the table's own, and has no plan for others, as the
        // insertion itself finds the row.
        #expect(try plan(statement).isEmpty)
    }

    @Test("Statements that read a whole table scan it once, in its own order", arguments: Statements.scans)
    func scans(statement: String) throws {
        let plan = try plan(statement)
        #expect(plan.count == 1 && plan[0].hasPrefix("SCAN"), "\(plan)")
    }
}
