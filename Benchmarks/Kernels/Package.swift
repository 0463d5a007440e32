// swift-tools-version: 6.3
import PackageDescription

// A separate package, so that the program does not depend on the benchmark library. `Sources` is a link to the program's
// sources, because the measured code has package access and must be in the same package.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func system(_ name: String, pkgConfig: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig)
}

let package = Package(
    name: "kernels",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without traits, the library does not need jemalloc.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: [])
    ],
    targets: [
        system("CLibCrypto", pkgConfig: "libcrypto"),
        system("CLibJPEG", pkgConfig: "libjpeg"),
        system("CLibPNG", pkgConfig: "libpng"),
        system("CLibISAL", pkgConfig: "libisal"),
        system("CLibWebP", pkgConfig: "libwebpdemux"),
        system("CLibGIF", pkgConfig: "libgif"),
        system("CLittleCMS", pkgConfig: "lcms2"),
        system("CLibExif", pkgConfig: "libexif"),
        .target(
            name: "CImageCodecs",
            dependencies: ["CLibJPEG", "CLibPNG", "CLibISAL", "CLibWebP", "CLibGIF", "CLibExif"],
            path: "Sources/CImageCodecs",
            linkerSettings: [.linkedLibrary("z")]),
        .target(
            name: "PhotoModel", dependencies: ["CLibCrypto"], path: "Sources/PhotoModel", swiftSettings: strict),
        .target(name: "CFileCalls", path: "Sources/CFileCalls"),
        .target(name: "CReduction", path: "Sources/CReduction"),
        .target(
            name: "Imaging",
            dependencies: ["PhotoModel", "CFileCalls", "CImageCodecs", "CReduction", "CLibExif", "CLittleCMS"],
            path: "Sources/Imaging", swiftSettings: strict),
        .executableTarget(
            name: "Kernels",
            dependencies: ["Imaging", "PhotoModel", .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/Kernels",
            swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ],
    swiftLanguageModes: [.v6]
)
