internal import Addresses
internal import PhotoModel

extension AddressProblem {
    /// - Parameter problem: the problem of an address with the scheme http or https.
    init(_ problem: URLProblem) {
        self =
            switch problem.kind {
            case .noScheme: .noScheme
            case .noHost: .noHost
            case .badPort: .badPort
            case .badIPv6: .badIPv6
            case .controlCharacter: .controlCharacter
            case .badHost, .badFileURL: .badHost
            }
    }
}
