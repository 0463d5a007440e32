import PhotoModel
import Testing

@testable import Notifications

@Suite struct BuildMetricsTests {
    @Test("Metrics have a sample for each state, and the gallery as a label")
    func text() {
        var metrics = BuildMetrics(gallery: #"/srv/a "b"\c"#)
        metrics.set(photos: [.filtered: 3, .failed: 1])
        metrics.set(exitCode: 0, time: .milliseconds(1234), receivedBytes: 5)
        let lines = metrics.text.split(separator: "\n")
        #expect(lines.contains(#"gallerygen_photos{gallery="/srv/a \"b\"\\c",state="filtered"} 3"#))
        #expect(lines.contains(#"gallerygen_photos{gallery="/srv/a \"b\"\\c",state="new"} 0"#))
        #expect(lines.contains(#"gallerygen_build_duration_seconds{gallery="/srv/a \"b\"\\c"} 1.234"#))
        #expect(lines.contains("# TYPE gallerygen_photos gauge"))
    }

    @Test("What a failed build does not know is taken over from the file of the last one")
    func completion() {
        var last = BuildMetrics(gallery: "/srv/photos")
        last.set(photos: [.filtered: 3])
        last.set(marks: [("stale", 2)])
        last.set(exitCode: 0, time: .seconds(1), receivedBytes: 5)
        last.set(lastSuccess: Timestamp(seconds: 1_700_000_000))
        var failed = BuildMetrics(gallery: "/srv/photos")
        failed.set(exitCode: 66, time: .seconds(2), receivedBytes: 0)
        var expected = last
        expected.set(exitCode: 66, time: .seconds(2), receivedBytes: 0)
        failed.complete(from: last.text)
        #expect(failed == expected)
    }

    @Test(
        "Nothing is taken over from a file of another gallery, or from a broken one",
        arguments: [
            #"gallerygen_photos{gallery="/srv/other",state="new"} 3"#, #"gallerygen_photos{gallery="/srv/photos""#,
            #"gallerygen_photos{gallery="/srv/photos"} 3"#, #"gallerygen_photos{gallery="/srv/photos",state="new"} x"#,
            #"gallerygen_build_exit_code{gallery="/srv/photos",state="new"} 3"#, "\u{0}\u{1}",
        ])
    func foreign(text: String) {
        var metrics = BuildMetrics(gallery: "/srv/photos")
        metrics.complete(from: text)
        #expect(metrics == BuildMetrics(gallery: "/srv/photos"))
    }
}
