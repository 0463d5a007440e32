internal import CLittleCMS

/// The state of Little CMS. Each decoder has a state of its own, so that no two threads share one. Owns the handle.
final class ColourContext {
    let handle: cmsContext

    init() {
        // cmsCreateContext returns NULL only when memory has run out, which Swift itself does not survive either.
        guard let handle = cmsCreateContext(nil, nil) else {
            preconditionFailure("no memory for Little CMS")
        }
        self.handle = handle
    }

    deinit { cmsDeleteContext(handle) }
}
