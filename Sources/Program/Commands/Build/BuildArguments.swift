internal import ArgumentParser

/// The manifests and options of `build`, which `check` has too.
struct BuildArguments: ParsableArguments {
    @OptionGroup var manifests: ManifestNames
    @OptionGroup(title: LocationSettings.title) var locationFlags: SettingFlags<LocationSettings>
    @OptionGroup(title: PageSettings.title) var pageFlags: SettingFlags<PageSettings>
    @OptionGroup(title: PictureSettings.title) var pictureFlags: SettingFlags<PictureSettings>
    @OptionGroup(title: DownloadSettings.title) var downloadFlags: SettingFlags<DownloadSettings>
    @OptionGroup(title: PublishSettings.title) var publishFlags: SettingFlags<PublishSettings>
    @OptionGroup(title: SharingSettings.title) var sharingFlags: SettingFlags<SharingSettings>
    @OptionGroup(title: NotificationSettings.title) var notificationFlags: SettingFlags<NotificationSettings>
    @OptionGroup(title: RunSettings.title) var runFlags: SettingFlags<RunSettings>
    @OptionGroup(title: MessageSettings.title) var messageFlags: SettingFlags<MessageSettings>

    /// The suspicious photos that are accepted. This is an option and not a setting, because somebody who has looked
    /// at a picture accepts it once.
    @Option(
        name: .customLong("accept"),
        help: ArgumentHelp(
            """
            Accept the new picture of a suspicious photo, named as 'Name' or 'Album / Name'; '*' accepts all. Can be \
            given several times.
            """,
            valueName: "name"))
    var accept: [String] = []

    var given: GivenArguments {
        var given = GivenArguments(
            manifests,
            [
                locationFlags.texts, pageFlags.texts, pictureFlags.texts, downloadFlags.texts, publishFlags.texts,
                sharingFlags.texts, notificationFlags.texts, runFlags.texts, messageFlags.texts,
            ])
        given.accepted = accept
        return given
    }
}
