internal import Foundation
internal import Gallery
internal import PhotoModel
internal import Publish

/// A publication as the settings describe it.
struct PublishTask {
    let address: TargetAddress
    let output: String
    let state: StateFolder
    let environment: [String: String]
    let homes: [String]
    let holder: String
    let wait: Duration
    var options: PublishOptions

    private static let keepOld = Duration.seconds(86_400)

    /// - Returns: nil if no target is set.
    init?(
        _ layers: SettingLayers, paths: GalleryPaths, environment: ProcessEnvironment
    ) throws(SettingsError) {
        let table = SettingsTable.table
        switch try layers.value(table.publishing.publish) {
        case .none: return nil
        case .address(.folder(let path)):
            let base = layers.isFromFile(table.publishing.publish) ? layers.file?.folder : nil
            address = .folder(environment.absolute(path, in: base))
        case .address(let remote): address = remote
        }
        output = paths.output
        state = StateFolder(path: paths.state)
        self.environment = environment.variables
        homes = environment.homes
        holder = environment.lockHolder
        wait = try layers.value(table.run.wait)
        let keepOld = try layers.value(table.page.keepOld) ?? Self.keepOld
        options = PublishOptions(
            retention: PublishRetention(seconds: keepOld.components.seconds, now: environment.now),
            maxDelete: try layers.value(table.publishing.maxDelete))
    }
}
