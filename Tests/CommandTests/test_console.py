"""What is printed, where, and what never is."""

import re


def test_a_build_prints_nothing_on_standard_output_and_no_control_characters_elsewhere(samples):
    run = samples.build("--widths", "160")
    assert run.out == ""
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", run.err)
    assert "16" in run.err and "2" in run.err
    for name, reason in samples.reasons().items():
        assert reason == "missing-file"
        line = samples.line_of(f">{name}<")
        told = next(told for told in run.lines() if name in told)
        assert re.search(rf"photos\.plist:({line}|{line + 1})\b", told)


def test_colour_comes_only_when_it_is_asked_for(samples):
    assert "\x1b[" in samples.build("--widths", "160", "--color", "always").err
    assert "\x1b[" not in samples.build("--widths", "170", "--color", "auto").err
    assert "\x1b[" not in samples.build("--widths", "180", "--color", "never").err


def test_names_with_control_characters_do_not_reach_the_terminal(gallery):
    gallery.list({"Red \u009b31m and \u202ereversed": "none.jpg"})
    run = gallery.build()
    assert "\u009b" not in run.err
    assert "\u202e" not in run.err


def test_verbose_says_more_and_quiet_says_only_what_went_wrong(samples):
    plain = samples.build("--widths", "160")
    quiet = samples.build("--widths", "170", "--quiet")
    verbose = samples.build("--widths", "180", "--verbose")
    assert len(verbose.lines()) > len(plain.lines())
    assert len(quiet.lines()) <= len(plain.lines())
