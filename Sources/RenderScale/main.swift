import Foundation
import PhotoModel
import Site

let count = Int(CommandLine.arguments[1])!
let albumCount = count / 100
var photos: [SitePhoto] = []
for i in 0..<count {
    let h = Digest(of: "\(i)").prefix(16)
    func im(_ w: Int) -> SiteImage { SiteImage(width: w, height: w * 2 / 3, path: "images/\(h)-\(w).jpg", bytes: Int64(w) * 100) }
    photos.append(SitePhoto(name: "Photo number \(i)", slug: "photo-number-\(i)", album: ["Album \(i / 100)"], details: PhotoDetails(caption: "A caption of some words \(i)", credit: "Somebody", license: "CC BY 4.0", tags: ["a", "b"]), source: "https://example.org/photos/\(i).jpg", sourceLink: "https://example.org/photos/\(i).jpg", state: .filtered, since: Timestamp(seconds: 1_767_000_000 + Int64(i)), width: 1800, height: 1200, images: [320, 800, 1600].map(im), original: im(1601), sha256: Digest(of: "\(i)"), colour: "#8a7a66", taken: "2025-08-17T14:03:22", camera: "Brand X"))
}
let content = SiteContent(settings: SiteSettings(title: "Big", generator: "gallerygen 1.0.0", filter: "sepia(0.8)"), albums: (0..<albumCount).map { SiteAlbum(path: ["Album \($0)"], slug: "album-\($0)") }, photos: photos, updated: Timestamp(seconds: 1_767_323_045))
photos = []
let clock = ContinuousClock()
var t = clock.now
let templates = try TemplateSet(overrides: [:])
print("templates", clock.now - t); t = clock.now
let renderer = try SiteRenderer(content: content, templates: templates)
print("renderer (keys)", clock.now - t); t = clock.now
var bytes = 0, n = 0
var known: [String: Digest] = [:]
let wantsKeys = CommandLine.arguments.count > 2
renderer.outputs(known: [:]) { output in
    if case .file(let file, let key) = output { bytes += file.bytes.count; n += 1; if wantsKeys { known[file.path] = key } ; if file.path == "index.html" || file.path.hasSuffix("photo-number-7.html") || file.path.hasPrefix("assets/search") { try? Data(file.bytes).write(to: URL(fileURLWithPath: "/tmp/rs-" + file.path.replacingOccurrences(of: "/", with: "_"))) } }
}
print("all", n, "files", bytes, "bytes", clock.now - t); t = clock.now
if wantsKeys {
var u = 0
renderer.outputs(known: known) { output in if case .unchanged = output { u += 1 } }
print("unchanged", u, clock.now - t)
}
let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
print(status.split(separator: "\n").filter { $0.hasPrefix("VmHWM") })
