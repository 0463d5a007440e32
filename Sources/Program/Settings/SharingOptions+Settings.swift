internal import Gallery
internal import ObjectStore

extension SharingOptions {
    /// - Returns: nil if the settings name no store.
    /// - Throws: `SettingsError` for settings that can't be used together.
    init?(_ layers: SettingLayers, environment: ProcessEnvironment) throws(SettingsError) {
        let (table, sharing) = (SettingsTable.table, SettingsTable.table.sharing)
        let shard = try layers.value(sharing.shard)
        let picturesAt = try layers.value(sharing.imagesAt)
        guard let address = try layers.value(sharing.store) else {
            let needy: [(isSet: Bool, setting: any SettingEntry)] = [
                (shard != nil, sharing.shard), (picturesAt != nil, sharing.imagesAt),
                (try layers.value(sharing.storeOriginals), sharing.storeOriginals),
            ]
            for (isSet, setting) in needy where isSet {
                throw Self.conflict(layers, setting, "needs --store")
            }
            return nil
        }
        var excluded: [(isSet: Bool, setting: any SettingEntry)] = [
            (try layers.value(table.run.live), table.run.live), (try layers.value(table.run.watch), table.run.watch),
        ]
        if shard != nil {
            let isPublished = if case .address = try layers.value(table.publishing.publish) { true } else { false }
            excluded += [
                (isPublished, table.publishing.publish), (picturesAt != nil, sharing.imagesAt),
                (try layers.value(table.run.dryRun), table.run.dryRun),
                (try layers.value(table.run.explain), table.run.explain),
            ]
        }
        for (isSet, setting) in excluded where isSet {
            throw Self.conflict(layers, setting, "can't be used with --\(shard == nil ? "store" : "shard")")
        }
        let endpoint = try layers.value(sharing.s3Endpoint)
        let (variables, home) = (environment.variables, environment.homes.first)
        switch address {
        case .folder(let path):
            let base = layers.isFromFile(sharing.store) ? layers.file?.folder : nil
            let folder = environment.absolute(path, in: base)
            // Only workers create a store. A mistyped address would make a site without photos.
            self.init(shown: folder) { (isCancelled) throws(ObjectStoreError) in
                try FolderStore(folder, createsFolder: shard != nil, isCancelled: isCancelled)
            }
            self.folder = folder
        case .bucket(let bucket, let prefix):
            self.init(shown: address.shown) { (isCancelled) throws(ObjectStoreError) in
                let configuration = try S3Configuration(environment: variables, home: home, endpoint: endpoint)
                return S3Store(
                    bucket: bucket, prefix: prefix, configuration: configuration, isCancelled: isCancelled)
            }
        }
        self.shard = shard
        self.picturesAt = picturesAt
        key = try layers.value(sharing.shardBy)
        storesOriginals = try layers.value(sharing.storeOriginals)
    }

    private static func conflict(
        _ layers: SettingLayers, _ setting: any SettingEntry, _ problem: String
    ) -> SettingsError {
        let origin = layers.entries(of: setting).last?.origin ?? .flag
        let position = if case .file(let position) = origin { "\(position): " } else { "" }
        return SettingsError(origin: origin, message: "\(position)\(setting.name(at: origin)) \(problem)")
    }
}
