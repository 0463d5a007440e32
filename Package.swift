// swift-tools-version: 6.1
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

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
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
        module("Downloads", ["PhotoModel", "Addresses", "CFileCalls", "CLibCurl", deque, heap]),
        module("Imaging", ["PhotoModel", "CFileCalls", "CImageCodecs", "CLibExif", "CLittleCMS"]),
        module(
            "Ledger",
            [
                "PhotoModel", "CLibSQLite", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .target(
            name: "Templates", path: "Templates",
            resources: [
                .embedInCode("album.mustache"), .embedInCode("albums.mustache"), .embedInCode("card.mustache"),
                .embedInCode("feed.mustache"), .embedInCode("find.mustache"), .embedInCode("index.mustache"),
                .embedInCode("layout.mustache"), .embedInCode("pager.mustache"), .embedInCode("photo.mustache"),
                .embedInCode("placeholder.mustache"), .embedInCode("since.mustache"), .embedInCode("state.mustache"),
                .embedInCode("status.mustache"), .embedInCode("tone.mustache"), .embedInCode("until.mustache"),
                .embedInCode("updated.mustache"), .embedInCode("viewer.mustache"), .embedInCode("views.mustache"),
                .embedInCode("strings/ar.txt"), .embedInCode("strings/de.txt"), .embedInCode("strings/en.txt"),
                .embedInCode("strings/es.txt"), .embedInCode("assets/early.js"),
                .embedInCode("assets/favicon.svg"), .embedInCode("assets/find.css"),
                .embedInCode("assets/gallery.css"), .embedInCode("assets/live.js"), .embedInCode("assets/viewer.css"),
                .embedInCode("scripts/compare.js"), .embedInCode("scripts/facts.js"), .embedInCode("scripts/find.js"),
                .embedInCode("scripts/keys.js"), .embedInCode("scripts/photos.js"), .embedInCode("scripts/picture.js"),
                .embedInCode("scripts/prefetch.js"), .embedInCode("scripts/ratings.js"),
                .embedInCode("scripts/search.js"), .embedInCode("scripts/slideshow.js"),
                .embedInCode("scripts/start.js"), .embedInCode("scripts/viewer.js"), .embedInCode("scripts/views.js"),
                .embedInCode("scripts/router.js"), .embedInCode("scripts/zoom.js"),
            ],
            swiftSettings: strict),
        module("Site", ["PhotoModel", "CFileCalls", "Templates"]),
        module("Watching", ["PhotoModel"]),
        module("Gallery", ["PhotoModel", "Manifest", "Downloads", "Imaging", "Ledger", "Site", heap]),
        module(
            "Program",
            [
                "Gallery", "Watching", "Manifest", "Downloads", "Imaging", "Site", "PhotoModel", "Yams",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // Apart, so that the tests are not linked with its allocator: one of them reads glibc's report of what it has
        // given out.
        .executableTarget(
            name: "gallerygen",
            dependencies: ["Program", .target(name: "CTCMalloc", condition: .when(platforms: [.linux]))],
            swiftSettings: strict),

        .target(name: "TestSupport", dependencies: ["PhotoModel"], path: "Tests/TestSupport", swiftSettings: strict),
        tests("PhotoModelTests", ["PhotoModel"]),
        tests("AddressesTests", ["Addresses", "TestSupport"]),
        tests("ManifestTests", ["Manifest", "PhotoModel", "TestSupport", "CLibXML2"], fixtures: true),
        tests("DownloadsTests", ["Downloads", "PhotoModel", "TestSupport"]),
        tests("ImagingTests", ["Imaging", "PhotoModel", "TestSupport"], fixtures: true),
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
