import CLibXML2

/// A document that makes libxml2 open another file is a finding. libxml2 asks its loader for whatever a document
/// names, and these callbacks before it opens any file itself.
let refusalOfOtherFiles: Void = {
    xmlInitParser()
    xmlSetExternalEntityLoader { address, _, _ in
        brokenPromise("libxml2 wants \(address.map { String(cString: $0) } ?? "a file without a name")")
    }
    let place = xmlRegisterInputCallbacks(
        { brokenPromise("libxml2 opens \($0.map { String(cString: $0) } ?? "a file without a name")") }, { _ in nil },
        { _, _, _ in -1 }, { _ in 0 })
    promise(place >= 0, "libxml2 has room for callbacks")
}()
