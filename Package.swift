// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A C library of the system, found by pkg-config.
func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

func module(
    _ name: String, _ dependencies: [Target.Dependency], plugins: [Target.PluginUsage] = []
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict, plugins: plugins)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], fixtures: Bool = false) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, resources: fixtures ? [.copy("Fixtures")] : [], swiftSettings: strict)
}

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

let package = Package(
    name: "gallerygen",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "gallerygen", targets: ["gallerygen"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        system("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        system("CLibCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
        system("CLibCrypto", pkgConfig: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
        system("CLibJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
        system("CLibPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
        system("CLibISAL", pkgConfig: "libisal", apt: "libisal-dev", brew: "isa-l"),
        system("CLibWebP", pkgConfig: "libwebpdemux", apt: "libwebp-dev", brew: "webp"),
        system("CLibGIF", pkgConfig: "libgif", apt: "libgif-dev", brew: "giflib"),
        system("CLittleCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
        system("CTCMalloc", pkgConfig: "libtcmalloc_minimal", apt: "libgoogle-perftools-dev", brew: "gperftools"),
        system("CLibExif", pkgConfig: "libexif", apt: "libexif-dev", brew: "libexif"),

        // The one that GRDB uses, which does not ask pkg-config for it either.
        .systemLibrary(name: "CLibSQLite", path: "Sources/CLibSQLite"),

        .target(
            name: "CImageCodecs",
            dependencies: ["CLibJPEG", "CLibPNG", "CLibISAL", "CLibWebP", "CLibGIF", "CLibExif"],
            // Which libpng is built on, and brings.
            linkerSettings: [.linkedLibrary("z")]),
        module("PhotoModel", ["CLibCrypto"]),
        module("Addresses", ["CLibCurl"]),
        module("Manifest", ["PhotoModel", "Addresses", "CLibXML2"]),
        .target(name: "CFileCalls"),
        .target(name: "CReduction"),
        module("Downloads", ["PhotoModel", "Addresses", "CFileCalls", "CLibCurl", deque, heap]),
        module("Imaging", ["PhotoModel", "CFileCalls", "CImageCodecs", "CReduction", "CLibExif", "CLittleCMS"]),
        module("Importing", ["PhotoModel", "Manifest", "Imaging", "Addresses", "CLibXML2"]),
        module(
            "Ledger",
            [
                "PhotoModel", "CLibSQLite", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Templates/ goes into the program as a source that this tool writes.
        .executableTarget(name: "TemplateEmbedder", swiftSettings: strict),
        .plugin(name: "EmbedTemplates", capability: .buildTool(), dependencies: ["TemplateEmbedder"]),
        module("Site", ["PhotoModel", "CFileCalls"], plugins: ["EmbedTemplates"]),
        module("Watching", ["PhotoModel"]),
        module(
            "Preview",
            [.product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox")]),
        module("ObjectStore", ["PhotoModel", "CFileCalls", "CLibCurl", "CLibCrypto", "CLibXML2"]),
        module("Processes", ["CFileCalls"]),
        module("Publish", ["PhotoModel", "Site", "ObjectStore", "Processes"]),
        module("Notifications", ["PhotoModel", "Site", "Publish", "Processes", "CLibCurl"]),
        module(
            "Gallery",
            [
                "PhotoModel", "Addresses", "Manifest", "Downloads", "Imaging", "Importing", "Ledger", "Site", "Publish",
                "ObjectStore", heap, deque,
            ]),
        module(
            "Program",
            [
                "Gallery", "Notifications", "Watching", "Importing", "Manifest", "Downloads", "Imaging", "Site",
                "Publish", "Preview", "ObjectStore", "Processes", "PhotoModel",
                "Yams",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Apart, so that the tests are not linked with its allocator: one of them reads glibc's report of what it has
        // given out.
        .executableTarget(
            name: "gallerygen",
            dependencies: ["Program", .target(name: "CTCMalloc", condition: .when(platforms: [.linux]))],
            swiftSettings: strict),

        .target(name: "TestSupport", dependencies: ["PhotoModel"], path: "Tests/TestSupport", swiftSettings: strict),
        // Calls stores for the Python tests, which have real servers.
        .executableTarget(
            name: "StoreTool", dependencies: ["ObjectStore"], path: "Tests/StoreTool", swiftSettings: strict),
        tests("PhotoModelTests", ["PhotoModel"]),
        tests("TemplateEmbedderTests", ["TemplateEmbedder"]),
        tests("AddressesTests", ["Addresses", "TestSupport"]),
        tests("ManifestTests", ["Manifest", "PhotoModel", "TestSupport", "CLibXML2"], fixtures: true),
        tests("DownloadsTests", ["Downloads", "PhotoModel", "TestSupport"]),
        tests("ImagingTests", ["Imaging", "PhotoModel", "TestSupport"], fixtures: true),
        tests("ImportingTests", ["Importing", "Manifest", "PhotoModel", "TestSupport"]),
        tests(
            "LedgerTests",
            ["Ledger", "PhotoModel", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")]),
        tests("SiteTests", ["Site", "PhotoModel", "TestSupport"]),
        tests(
            "GalleryTests",
            [
                "Gallery", "Downloads", "Imaging", "Ledger", "Manifest", "Site", "PhotoModel", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        tests("ObjectStoreTests", ["ObjectStore", "TestSupport"]),
        tests("ProcessesTests", ["Processes", "TestSupport"]),
        tests("PublishTests", ["Publish", "Site", "ObjectStore", "PhotoModel", "TestSupport"]),
        tests("NotificationsTests", ["Notifications", "Site", "PhotoModel", "TestSupport"]),
        tests("PreviewTests", ["Preview"]),
        tests("WatchingTests", ["Watching", "TestSupport"]),
        tests(
            "SettingsTests",
            [
                "Program", "Gallery", "Imaging", "PhotoModel", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
