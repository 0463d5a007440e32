internal import Foundation
internal import ObjectStore
internal import Site

/// Decides whether a site may be published in the output folder, before anything is downloaded.
struct OutputFolderCheck {
    /// The absolute paths of both folders.
    let output: String
    let state: String
    let homes: [String]
    /// The absolute path of the store of which the site is made; nil if it is not made of a folder.
    var store: String?

    /// - Throws: `GalleryError.site` with `SiteError.unsuitable`, whose message says what to do.
    func check() throws(GalleryError) {
        let site = Self.resolved(output)
        let state = Self.resolved(state)
        if site == "/" { throw refusal("is the root of the file system") }
        if homes.contains(where: { site == Self.resolved($0) }) { throw refusal("is your home folder") }
        if site == state { throw refusal("is the state folder") }
        if state == "/" || site.hasPrefix(state + "/") { throw refusal("is inside the state folder \(self.state)") }
        if let store, Self.resolved(store).isParent(of: site) { throw refusal("is inside the store \(store)") }
        if StoreRecords.exist(inFolder: site) { throw refusal("is the store of a shared build") }
        if site.isParent(of: state), isManagedPath(String(state.dropFirst(site.count + 1))) {
            throw .site(
                .unsuitable(
                    path: output,
                    why: "contains the state folder \(self.state) in the place of the site's own files; "
                        + "choose another one with --state"))
        }
    }

    /// Why a folder can't be the store of a shared build, as the rest of a sentence; nil if it can. Files of the site
    /// and of the state folder are replaced and removed, so none of them may become an object of the store.
    func unsuitable(asStore folder: String) -> String? {
        let (store, site, state) = (Self.resolved(folder), Self.resolved(output), Self.resolved(state))
        let advice = "use --store to name a folder for the store only"
        if store == site { return "is the output folder; \(advice)" }
        if site.isParent(of: store) { return "is inside the output folder \(output); \(advice)" }
        if store == state || state.isParent(of: store) { return "is inside the state folder \(self.state); \(advice)" }
        return nil
    }

    /// Why a site in another folder can't be published to this one, as the rest of a sentence; nil if it can.
    func unsuitableAsTarget(of site: String) -> String? {
        let (target, site, state) = (Self.resolved(output), Self.resolved(site), Self.resolved(state))
        if target == "/" { return "is the root of the file system; name a folder for the site only" }
        if homes.contains(where: { target == Self.resolved($0) }) {
            return "is your home folder; name a folder for the site only"
        }
        if target == site { return "is the folder of the site itself; name another one" }
        if target.isParent(of: site) { return "contains the folder of the site; name another one" }
        if site.isParent(of: target) { return "is inside the folder of the site; name another one" }
        if target == state || state.isParent(of: target) { return "is inside the state folder; name another one" }
        return nil
    }

    /// Whether the output folder contains the state folder, so that a copy of the site would include it.
    var containsState: Bool { Self.resolved(output).isParent(of: Self.resolved(state)) }

    /// The remark about a state folder inside the output folder.
    var remark: String {
        "the state folder \(state) is inside the site's folder; don't copy it with the site, or move it with --state"
    }

    private func refusal(_ what: String) -> GalleryError {
        .site(
            .unsuitable(
                path: output, why: "\(what); use --output to choose a folder for the site only, such as public"))
    }

    private func isManagedPath(_ relative: String) -> Bool {
        isPartOfSite(relative.split(separator: "/").first.map(String.init) ?? relative)
    }

    /// The path with the symbolic links in its existing part resolved.
    private static func resolved(_ path: String) -> String {
        var rest: [String] = []
        var existing = path
        while true {
            if let real = realpath(existing, nil) {
                defer { free(real) }
                // realpath(3) returns a string that ends with NUL.
                let prefix = String(cString: real)
                let tail = rest.reversed().joined(separator: "/")
                return tail.isEmpty ? prefix : prefix == "/" ? "/" + tail : "\(prefix)/\(tail)"
            }
            let parent = (existing as NSString).deletingLastPathComponent
            guard parent != existing, !parent.isEmpty else { return path }
            rest.append((existing as NSString).lastPathComponent)
            existing = parent
        }
    }
}

extension String {
    fileprivate func isParent(of path: String) -> Bool { path.hasPrefix(self + "/") }
}
