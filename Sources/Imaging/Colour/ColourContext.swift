internal import CLittleCMS

/// Little CMS's state, of which each decoder has its own, so that no two threads share any. Owns the handle.
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
