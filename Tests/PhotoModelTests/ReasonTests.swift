import Testing

@Suite struct ReasonTests {}
