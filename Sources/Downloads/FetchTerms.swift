/// On which terms an address is fetched.
package struct FetchTerms: Hashable, Sendable {
    package var policy: AddressPolicy

    package init(policy: AddressPolicy) {
        self.policy = policy
    }
}
