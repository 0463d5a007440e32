import Imaging
import Testing

@Suite("Filter chains follow the syntax of CSS")
struct FilterChainTests {
    @Test(
        "Text that CSS allows gives the chain it means",
        arguments: [
            ("sepia(0.8)", "sepia(0.8)"),
            ("sepia(80%)", "sepia(0.8)"),
            ("sepia()", "sepia(1)"),
            ("SEPIA( .8 )", "sepia(0.8)"),
            ("sepia(+8e-1)", "sepia(0.8)"),
            ("sepia(250%)", "sepia(1)"),
            ("grayscale()", "grayscale(1)"),
            ("grayscale(7)", "grayscale(1)"),
            ("invert()", "invert(1)"),
            ("invert(20%)", "invert(0.2)"),
            ("saturate()", "saturate(1)"),
            ("saturate(250%)", "saturate(2.5)"),
            ("saturate(100)", "saturate(100)"),
            ("brightness()", "brightness(1)"),
            ("brightness(1e300)", "brightness(65536)"),
            ("contrast()", "contrast(1)"),
            ("contrast(-0)", "contrast(0)"),
            ("hue-rotate()", "hue-rotate(0deg)"),
            ("hue-rotate(0)", "hue-rotate(0deg)"),
            ("hue-rotate(90deg)", "hue-rotate(90deg)"),
            ("hue-rotate(-90DEG)", "hue-rotate(-90deg)"),
            ("hue-rotate(100grad)", "hue-rotate(90deg)"),
            ("hue-rotate(.25turn)", "hue-rotate(90deg)"),
            ("hue-rotate(0rad)", "hue-rotate(0deg)"),
            ("sepia(1)invert(1)", "sepia(1) invert(1)"),
            ("\t sepia(1)\n\r\u{C} contrast(120%) ", "sepia(1) contrast(1.2)"),
            ("none", "none"),
            (" NONE ", "none"),
        ])
    func good(_ text: String, canonical: String) throws {
        let chain = try FilterChain(parsing: text)
        #expect(chain.description == canonical)
        #expect(try FilterChain(parsing: chain.description) == chain)
    }

    @Test(
        "Text that CSS does not allow is refused at the position of the mistake",
        arguments: [
            ("", 1, FilterSyntaxError.Problem.empty),
            ("   ", 4, .empty),
            ("blur(3px)", 1, .unknownFunction("blur")),
            ("sepia(1) blur(3px)", 10, .unknownFunction("blur")),
            ("url(#x)", 1, .unknownFunction("url")),
            ("(1)", 1, .expectedFunction),
            ("sepia(1), invert(1)", 9, .expectedFunction),
            ("sepia(1) none", 10, .noneWithOthers),
            ("none sepia(1)", 6, .noneWithOthers),
            ("none none", 6, .noneWithOthers),
            ("sepia", 6, .missingOpeningParenthesis(function: "sepia")),
            ("sepia (1)", 6, .missingOpeningParenthesis(function: "sepia")),
            ("sepia(1", 8, .missingClosingParenthesis(function: "sepia")),
            ("sepia(1 2)", 9, .missingClosingParenthesis(function: "sepia")),
            ("sepia(1,2)", 8, .missingClosingParenthesis(function: "sepia")),
            ("sepia(50 %)", 10, .missingClosingParenthesis(function: "sepia")),
            ("sepia(1.)", 8, .missingClosingParenthesis(function: "sepia")),
            ("sepia(x)", 7, .notANumber(function: "sepia")),
            ("sepia(%)", 7, .notANumber(function: "sepia")),
            ("sepia(0,8)", 8, .missingClosingParenthesis(function: "sepia")),
            ("sepia(-0.1)", 7, .negative(function: "sepia")),
            ("saturate(-1%)", 10, .negative(function: "saturate")),
            ("brightness(1e999)", 12, .tooLarge(function: "brightness")),
            ("contrast(1px)", 11, .unitOnAmount(function: "contrast", unit: "px")),
            ("hue-rotate(90)", 14, .missingAngleUnit(function: "hue-rotate")),
            ("hue-rotate(90em)", 14, .unknownAngleUnit(function: "hue-rotate", unit: "em")),
            ("hue-rotate(50%)", 14, .unknownAngleUnit(function: "hue-rotate", unit: "%")),
        ])
    func bad(_ text: String, column: Int, problem: FilterSyntaxError.Problem) throws {
        let error = try #require(throws: FilterSyntaxError.self) { try FilterChain(parsing: text) }
        #expect(error.column == column)
        #expect(error.problem == problem)
    }

    @Test("The error about an unknown function lists the known ones, and gives its position")
    func message() throws {
        let error = try #require(throws: FilterSyntaxError.self) { try FilterChain(parsing: "sepia(1) blur(3px)") }
        #expect(
            error.description
                == "filter \"sepia(1) blur(3px)\", column 10: unknown filter function blur(); the functions are "
                + "sepia(), grayscale(), saturate(), brightness(), contrast(), invert(), hue-rotate()")
    }

    @Test("Each function's name, version and parameter are its identity")
    func identity() throws {
        #expect(try FilterChain(parsing: "sepia(80%) hue-rotate(.25turn)").identity == "sepia/1(0.8) hue-rotate/1(90)")
        #expect(FilterChain.none.identity == "none")
    }

    @Test(
        "The text of an identity has no versions, and parses to the same chain",
        arguments: [
            "none", "sepia(0.8)", "hue-rotate(-45deg)", "hue-rotate(45deg) sepia(0.8) brightness(1e-05)",
        ])
    func textOfIdentity(text: String) throws {
        let chain = try FilterChain(parsing: text)
        #expect(FilterChain.text(ofIdentity: chain.identity) == text)
        #expect(try FilterChain(parsing: text) == chain)
    }

    @Test("The chain that changes nothing is empty")
    func none() {
        #expect(FilterChain.none.isEmpty)
    }
}
