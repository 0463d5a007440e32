internal import Manifest

/// A plan in words: what will be done, and why.
package struct PlanReport: Sendable {
    /// One piece of work, for one photo or for the pages.
    package struct Line: Hashable, Sendable {
        /// The photo's name after the names of its albums, such as "Coast / Lighthouse"; nil if the work concerns the
        /// pages.
        package let photo: String?
        /// The work of a photo, such as "download, filter", or of the pages, such as "pages: publish".
        package let work: String
        /// The reason: for a photo such as "filter sepia(0.8) → sepia(0.6)", for the pages such as "pages: the
        /// templates changed".
        package let reason: String
    }

    /// The number of files of earlier publications that stay in the site.
    package var retained: Int { plan.retained }

    private let records: [PhotoRecord]
    private let plan: Plan

    package init(records: [PhotoRecord], plan: Plan) {
        self.records = records
        self.plan = plan
    }

    /// The lines in the order of the list, with the lines of the pages last; empty if there is no work. They are made
    /// on demand, because most builds print none.
    package var lines: [Line] {
        var lines: [Line] = []
        for (record, photoPlan) in zip(records, plan.photos) where !photoPlan.isNothing {
            let name = (record.photo.album + [record.photo.name]).joined(separator: " / ")
            lines.append(Line(photo: name, work: photoPlan.work, reason: photoPlan.explanation))
        }
        lines += plan.site.map { Line(photo: nil, work: $0.work, reason: $0.explanation) }
        return lines
    }
}
