internal import ObjectStore
package import Publish

/// The settings of publishing.
package struct PublishSettings: SettingGroup {
    package static let title = "Publishing"
    package static let table = PublishSettings()

    package let publish = Setting(
        "publish", .publishTarget, default: "none",
        help: "Where build sends the site when it is built: a folder, user@host:/path, or s3://bucket/prefix.",
        details: """
            `gallerygen publish` sends it there without building. `none` overrides a target of the settings file. \
            [Publishing](../explanation/publishing.md) says what goes where in which order.
            """)

    package let maxDelete = Setting(
        "max-delete", .integer(0...100_000_000), default: "256",
        help: "The most files that a publication may remove from the target. If there would be more, it removes none.")
}

/// The value of `publish`.
package enum PublishTargetSetting: Sendable {
    case none
    case address(TargetAddress)

    init?(_ text: String) {
        if text == "none" {
            self = .none
            return
        }
        // `problem` reports the mistake.
        guard let address = try? TargetAddress(text) else { return nil }
        self = .address(address)
    }

    static func problem(_ text: String) -> String? {
        do throws(TargetAddress.Problem) {
            _ = try TargetAddress(text)
            return nil
        } catch {
            return error.message
        }
    }
}
