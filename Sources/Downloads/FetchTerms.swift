/// On which terms an address is fetched.
package struct FetchTerms: Hashable, Sendable {
    package var policy: AddressPolicy
    package var maxAge: MaxAge

    package init(policy: AddressPolicy, maxAge: MaxAge = .auto) {
        self.policy = policy
        self.maxAge = maxAge
    }
}
