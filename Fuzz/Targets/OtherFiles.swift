import CLibXML2

/// Makes it a finding if a document makes libxml2 open another file. libxml2 calls its entity loader for every file to
/// which a document refers, and calls these callbacks before it opens a file itself.
let refusalOfOtherFiles: Void = {
    xmlInitParser()
    xmlSetExternalEntityLoader { address, _, _ in
        reportFinding("libxml2 loads \(address.map { String(cString: $0) } ?? "a file without a name")")
    }
    let place = xmlRegisterInputCallbacks(
        { reportFinding("libxml2 opens \($0.map { String(cString: $0) } ?? "a file without a name")") }, { _ in nil },
        { _, _, _ in -1 }, { _ in 0 })
    require(place >= 0, "libxml2 has no room for callbacks")
}()
