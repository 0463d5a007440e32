"""Settings come from the option, else the environment, else the settings file, else the default."""

import os

import pytest


def title(gallery, *options, env=None):
    gallery.build(*options, env=env)
    return gallery.status()["title"]


@pytest.mark.quick
def test_a_setting_comes_from_option_environment_file_and_default_in_that_order(three_photos):
    assert title(three_photos) == "Photos"
    (three_photos.folder / "gallerygen.yaml").write_text("title: From the file\n")
    assert title(three_photos) == "From the file"
    environment = {"GALLERYGEN_TITLE": "From the environment"}
    assert title(three_photos, env=environment) == "From the environment"
    assert title(three_photos, "--title", "From the option", env=environment) == "From the option"


@pytest.mark.parametrize(("file", "environment", "flags", "code", "message"), [
    ("", {}, ["--title", "  "], 64, "--title: '  ' is not allowed"),
    ("", {"GALLERYGEN_TITLE": " \t\u00a0"}, [], 78, "GALLERYGEN_TITLE: "),
    ("title: '   '\n", {}, [], 78, "gallerygen.yaml:1:1: title: '   ' is not allowed")])
def test_a_title_of_white_space_alone_is_refused(three_photos, file, environment, flags, code, message):
    (three_photos.folder / "gallerygen.yaml").write_text(file)
    run = three_photos.build(*flags, env=environment, expect=code)
    assert message in run.err and "expected a text that is not only white space" in run.err


@pytest.mark.parametrize(("name", "expected"), [
    ("output", "a folder"), ("templates", "a folder"), ("metrics", "a file"), ("on-change", "a shell command"),
    ("contact", "an address without line breaks, parentheses and backslashes"),
    ("user-agent", "a text without line breaks that is not only white space")])
def test_other_texts_of_white_space_alone_are_refused_too(three_photos, name, expected):
    run = three_photos.build(f"--{name}", " \u00a0", expect=64)
    assert f"--{name}: ' \u00a0' is not allowed; expected {expected}" in run.err


def test_settings_of_every_kind_are_read_from_the_file(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text(
        "# a comment\nfilter: grayscale(1)\nwidths: 50,100\nper-page: 2\nlanguage: de\nstall-timeout: 10s\n"
        "max-bytes: 10MB\nno-originals: true\noutput: site\n")
    three_photos.site = three_photos.folder / "site"
    three_photos.build()
    photo = three_photos.photos()["One"]
    assert [image["width"] for image in photo["images"]] == [50, 100]
    assert photo["original"] is None
    assert "page/2.html" in three_photos.files()
    assert three_photos.page("index.html").has("html", lang="de")


def test_config_names_another_settings_file(three_photos):
    (three_photos.folder / "other.yaml").write_text("title: Other\n")
    assert title(three_photos, "--config", "other.yaml") == "Other"
    assert "missing.yaml" in three_photos.build("--config", "missing.yaml", expect=78).err


def test_a_settings_file_that_is_a_broken_link_exits_with_78(three_photos):
    (three_photos.folder / "gallerygen.yaml").symlink_to("nowhere.yaml")
    assert "settings file gallerygen.yaml: no such file" in three_photos.build(expect=78).err


def test_a_settings_file_that_is_none_is_named_as_what_it_is(three_photos):
    os.mkfifo(three_photos.folder / "pipe")
    run = three_photos.build("--config", "pipe", expect=78)
    assert "settings file pipe: it is a pipe or a device; name a file" in run.err
    run = three_photos.build("--config", ".", expect=78)
    assert "settings file .: it is a folder; name a file" in run.err
    assert not three_photos.site.exists()


@pytest.mark.parametrize(("file", "environment", "flags", "is_verbose"), [
    ("quiet: true", {}, ["--verbose"], True), ("verbose: true", {}, ["--quiet"], False),
    ("quiet: true", {"GALLERYGEN_VERBOSE": "true"}, [], True),
    ("", {"GALLERYGEN_VERBOSE": "true"}, ["--quiet"], False)])
def test_quiet_and_verbose_override_each_other_in_the_order_of_the_sources(
        three_photos, file, environment, flags, is_verbose):
    (three_photos.folder / "gallerygen.yaml").write_text(file)
    run = three_photos.build(*flags, env=environment)
    if is_verbose:
        assert "3 photos rendered" in run.err
    else:
        assert run.err == ""


@pytest.mark.parametrize(("file", "environment", "flags", "code", "message"), [
    ("", {}, ["--quiet", "--verbose"], 64, "--quiet and --verbose can't be used together"),
    ("", {"GALLERYGEN_VERBOSE": "true", "GALLERYGEN_QUIET": "true"}, [], 78,
     "GALLERYGEN_QUIET and GALLERYGEN_VERBOSE can't be used together"),
    ("quiet: true\nverbose: true\n", {}, [], 78, "gallerygen.yaml:2:1: quiet and verbose can't be used together")])
def test_quiet_and_verbose_of_the_same_source_are_refused(three_photos, file, environment, flags, code, message):
    (three_photos.folder / "gallerygen.yaml").write_text(file)
    assert message in three_photos.build(*flags, env=environment, expect=code).err


@pytest.mark.parametrize(("text", "line", "says"), [
    ("title: A\nqualty: 80\n", 2, ["qualty", "quality"]),
    ("quality: 500\n", 1, ["quality", "500", "100"]),
    ("# first\n\nper-page: many\n", 3, ["per-page", "many"]),
    ("filter: blur(3px)\n", 1, ["filter", "blur", "sepia"]),
    ("title: A\nwidths: 320,-5\n", 2, ["widths", "-5"]),
    ("title: A\ntimeout: soon\n", 2, ["timeout", "soon"]),
    ("title: A\ncolor: pink\n", 2, ["color", "pink", "auto", "always", "never"]),
    ("title: A\nformat: jpeg\n", 2, ["format", "formats"]),
    ("title: [unclosed\n", None, []),
    ("- a list\n", None, []),
])
def test_a_wrong_setting_exits_with_78_and_the_message_has_name_line_and_allowed_values(
        three_photos, text, line, says):
    three_photos.build()
    before = three_photos.contents()
    (three_photos.folder / "gallerygen.yaml").write_text(text)
    run = three_photos.build(expect=78)
    assert f"gallerygen.yaml:{line or ''}" in run.err
    for word in says:
        assert word in run.err
    assert three_photos.contents() == before


@pytest.mark.parametrize(("name", "value"), [
    ("GALLERYGEN_WIDTHS", "abc"), ("GALLERYGEN_QUALITY", "0"), ("GALLERYGEN_FILTER", "blur(3px)")])
def test_a_wrong_environment_variable_exits_with_78_and_is_named(three_photos, name, value):
    run = three_photos.build(env={name: value}, expect=78)
    assert name in run.err and value in run.err
    assert not three_photos.site.exists()


def test_a_misspelled_environment_variable_is_a_warning_that_names_the_nearest_one(three_photos):
    warning = "environment variable GALLERYGEN_QUALTY is not a setting; did you mean GALLERYGEN_QUALITY?"
    assert warning in three_photos.build(env={"GALLERYGEN_QUALTY": "80"}).err
    assert warning not in three_photos.build(env={"GALLERYGEN_QUALTY": ""}).err


def test_a_variable_of_a_script_with_the_prefix_is_ignored(three_photos):
    assert three_photos.build("--quiet", env={"GALLERYGEN_CHECKOUT": "/srv"}).err == ""


def test_a_template_that_no_page_includes_is_a_warning_that_names_the_nearest_one(three_photos):
    folder = three_photos.folder / "templates"
    folder.mkdir()
    for name, text in {"phto": "", "footer-of-mine": "", "mine": "{{name}}", "card": "<li>{{>mine}}</li>"}.items():
        (folder / f"{name}.mustache").write_text(text)
    run = three_photos.build("--templates", "templates")
    assert [line for line in run.lines() if line.startswith("warning: templates: ")] == [
        "warning: templates: footer-of-mine.mustache is not used, because no template includes it; "
        "include it with {{>footer-of-mine}}",
        "warning: templates: phto.mustache is not used, because no template includes it; did you mean photo.mustache?",
    ]


@pytest.mark.parametrize("options, message", [
    (["--templates", "nowhere"], "nowhere can't be read: No such file or directory"),
    (["--templates", "1.jpg"], "1.jpg is not a folder"),
    (["--ratings", "."], "can't be read: Is a directory"),
    ([""], "the name of a list is empty"),
])
def test_a_path_that_cannot_be_read_is_named_with_the_systems_reason(three_photos, options, message):
    run = three_photos.run("build", *options)
    assert run.code in (64, 78) and message in run.err
    assert len(run.lines()) == 1


def test_an_empty_environment_variable_counts_as_not_set(gallery):
    (gallery.folder / "gallerygen.yaml").write_text("quality: 70\n")
    printed = printed_settings(gallery, env={"GALLERYGEN_QUALITY": "", "GALLERYGEN_WIDTHS": ""})
    assert printed["quality"] == ("70", "gallerygen.yaml:1:1")
    assert printed["widths"] == ("400,800,1600", "default")


def test_a_photos_own_filter_takes_precedence(samples):
    samples.list([
        {"name": "As all", "url": "rocky-shore-grey.png"},
        {"name": "Its own", "url": "rocky-shore-grey.png", "filter": "invert(1)"},
        {"name": "None", "url": "rocky-shore-grey.png", "filter": "none"}])
    samples.build()
    photos = samples.photos()
    assert [photo["state"] for photo in photos.values()] == ["filtered", "filtered", "downloaded"]
    assert len({photo["images"][0]["path"] for photo in photos.values()}) == 3


def test_an_environment_variable_can_name_the_settings_file(three_photos):
    (three_photos.folder / "other.yaml").write_text("quality: 1000\n")
    run = three_photos.run("check", env={"GALLERYGEN_CONFIG": "other.yaml"})
    assert run.code == 78
    assert "other.yaml:1" in run.err


def printed_settings(gallery, *options, env=None):
    """Name → value and source, as --print-settings prints them."""
    run = gallery.run("build", "--print-settings", *options, env=env)
    assert (run.code, run.err) == (0, "")
    return {line.split("\t")[0]: tuple(line.split("\t")[1:]) for line in run.out.splitlines()}


@pytest.mark.quick
def test_print_settings_prints_each_value_and_its_source_and_builds_nothing(gallery):
    (gallery.folder / "gallerygen.yaml").write_text("# mine\ntitle: Club\nquality: 80\nwidths: [100, 200]\n")
    settings = printed_settings(gallery, "--quality", "70", "--no-originals", env={"GALLERYGEN_PER_PAGE": "7"})
    assert settings["title"] == ("Club", "gallerygen.yaml:2:1")
    assert settings["quality"] == ("70", "--quality")
    assert settings["widths"] == ("100,200", "gallerygen.yaml:4:1")
    assert settings["per-page"] == ("7", "environment variable GALLERYGEN_PER_PAGE")
    assert settings["no-originals"] == ("true", "--no-originals")
    assert settings["filter"] == ("sepia(0.8)", "default")
    assert settings["base-url"] == ("none", "default")
    assert sorted(path.name for path in gallery.folder.iterdir()) == ["gallerygen.yaml"]


def test_print_settings_prints_header_names_and_not_their_values(gallery):
    (gallery.folder / "gallerygen.yaml").write_text("headers:\n  example.org:\n    Authorization: Bearer s3cr3t\n")
    run = gallery.run("build", "--print-settings")
    assert "headers\texample.org: Authorization\tgallerygen.yaml:3:5\n" in run.out
    assert "s3cr3t" not in run.output


def test_print_settings_prints_a_table_on_a_terminal(gallery):
    rows = gallery.terminal("build", "--print-settings", stream="stdout").splitlines()
    assert len({row.rindex("  default") for row in rows if row.endswith("  default")}) == 1
    assert not any("\t" in row for row in rows)


WRONG = "qualty: 80\nper-page: many\ntitle: {a: b}\nwidths: 320,-5\nratings: nowhere.json\n"


@pytest.mark.parametrize("command", ["build", "check"])
def test_all_mistakes_of_the_settings_are_reported_at_once(three_photos, command):
    (three_photos.folder / "gallerygen.yaml").write_text(WRONG)
    run = three_photos.run(command, env={"GALLERYGEN_COLOR": "pink"})
    assert run.code == 78
    for text in (
        ":1:1: unknown setting 'qualty'; did you mean 'quality'?", ":2:1: per-page: 'many'", ":3:1: 'title'",
        ":4:1: widths: '320,-5'", "GALLERYGEN_COLOR: 'pink'", "nowhere.json does not exist",
    ):
        assert text in run.err
    assert len(run.lines()) == 6
    assert not three_photos.site.exists()


def test_print_settings_reports_all_mistakes(three_photos):
    (three_photos.folder / "gallerygen.yaml").write_text(WRONG)
    run = three_photos.run("build", "--print-settings")
    assert (run.code, run.out, len(run.lines())) == (78, "", 4)


@pytest.mark.parametrize(("text", "position"), [
    ("title: A\nfilter: [\n", "gallerygen.yaml:3:1: "), ("title: A\nquality: 1\ntitle: B\n", "gallerygen.yaml:3: "),
    ("title: A\r\nquality: 1\r\ntitle: B\r\n", "gallerygen.yaml:3: "),
    ("title: Photos: the best\n", "; put a text with ': ' in quotes")])
def test_the_message_about_broken_yaml_has_its_line(three_photos, text, position):
    (three_photos.folder / "gallerygen.yaml").write_text(text, newline="")
    assert position in three_photos.build(expect=78).err


@pytest.mark.parametrize("source", ["file", "flag", "variable"])
def test_a_tilde_means_the_home_folder(three_photos, source):
    """No shell expands it in a settings file, nor in `--output=~/site`."""
    home = three_photos.folder / "home"
    home.mkdir()
    environment = {"HOME": str(home)}
    options = []
    if source == "file":
        (three_photos.folder / "gallerygen.yaml").write_text("output: ~/site\npublish: ~/www\n")
    elif source == "flag":
        options = ["--output=~/site", "--publish=~/www"]
    else:
        environment |= {"GALLERYGEN_OUTPUT": "~/site", "GALLERYGEN_PUBLISH": "~/www"}
    three_photos.build(*options, env=environment)
    assert (home / "site/index.html").is_file() and (home / "www/index.html").is_file()
    assert not (three_photos.folder / "~").exists()


def test_check_warns_of_a_settings_file_with_another_extension(three_photos):
    (three_photos.folder / "gallerygen.yml").write_text("title: A\n")
    run = three_photos.run("check")
    assert run.code == 0
    assert "gallerygen.yml is not read" in run.err
    assert "gallerygen.yml" not in three_photos.run("check", "--config", "gallerygen.yml").err
