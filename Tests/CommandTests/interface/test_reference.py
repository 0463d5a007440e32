"""The help, man pages, reference and other documentation match the program."""

import re
import subprocess

import pytest
from program import ROOT, Program

COMMANDS = ["build", "serve", "publish", "status", "check", "init", "clean", "shards"]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "Deploy/README.md"]
OPTION = r"(?<![\w-])--[a-z][a-z0-9-]*"
# The pages also contain commands of other programs and names of CSS variables.
OTHER_OPTIONS = {
    "apt": {"--autoremove", "--no-install-recommends"}, "git": {"--all", "--branch", "--check", "--message"},
    "curl": {"--fail", "--json", "--max-time", "--show-error", "--silent"},
    "netlify": {"--dir", "--prod"}, "perf": {"--call-graph"},
    "pytest": {"--basetemp"}, "rclone": {"--exclude"}, "rsync": {"--delete-after"},
    "sha256sum": {"--check", "--ignore-missing"},
    "systemctl": {"--now", "--user"}, "tar": {"--directory", "--strip-components"},
    "gallerygen": {"--experimental-dump-help"},
    "style sheets": {
        name for sheet in (ROOT / "Templates/assets").glob("*.css")
        for name in re.findall(OPTION, sheet.read_text(encoding="utf-8"))},
}


def text(path):
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def helps(program, tmp_path_factory):
    """The help of each command, with one option on each line."""
    folder = tmp_path_factory.mktemp("helps")

    def joined(help):
        return re.sub(r"\n {20,}", " ", help)

    return {name: joined(program.run(name, "--help", cwd=folder).out) for name in COMMANDS}


@pytest.fixture(scope="module")
def man(tmp_path_factory):
    folder = tmp_path_factory.mktemp("man")
    subprocess.run([ROOT / "Scripts/reference", Program.built(), "man", folder], check=True)
    return {name: text(folder / f"gallerygen-{name}.1").replace("\\-", "-").replace("\\e", "\\") for name in COMMANDS}


@pytest.fixture(scope="module")
def settings(program, tmp_path_factory):
    """The default of each setting, as `--print-settings` prints it."""
    folder = tmp_path_factory.mktemp("settings")
    lines = program.run("build", "--print-settings", cwd=folder).out.splitlines()
    printed = {name: (value, source) for name, value, source in (line.split("\t") for line in lines)}
    assert printed.pop("print-settings") == ("true", "--print-settings")
    assert {source for _, source in printed.values()} == {"default"}
    return {name: value for name, (value, _) in printed.items()}


def options(help):
    """The options in the help: for each, the name that turns it off and its default, if it has them."""
    found = {}
    for line in help.splitlines():
        # A switch is shown as "--live/--no-live", and its default is one of the two.
        match = re.match(r" +(?:-\w, )?(--[a-z0-9-]+)(?:/(--no-[a-z0-9-]+))?", line)
        if match:
            default = re.search(r"\(default: (.*)\)$", line.rstrip())
            found[match[1]] = (match[2], default and default[1])
    return found


def option_of_setting(name, value):
    """The option of a setting, and its value as the help shows it. For "no-originals" with "false", the value is
    "--originals"."""
    if value not in ("true", "false"):
        return "--" + name, value
    positive = name.removeprefix("no-")
    is_on = (value == "true") != name.startswith("no-")
    return "--" + positive, ("--" if is_on else "--no-") + positive


def test_these_are_the_commands_of_the_program(program, tmp_path):
    help = program.run("--help", cwd=tmp_path).out
    assert re.findall(r"^  ([a-z]+)  +[A-Z]", help.partition("SUBCOMMANDS:")[2], re.MULTILINE) == COMMANDS


@pytest.mark.parametrize("page", ["settings", "reasons", "exit-codes"])
def test_a_generated_page_of_the_reference_is_up_to_date(program, tmp_path, page):
    printed = program.run("reference", page, cwd=tmp_path).out
    assert text(ROOT / f"docs/reference/{page}.md") == printed, "run make reference"


def test_the_generated_page_of_commands_is_up_to_date():
    printed = subprocess.run(
        [ROOT / "Scripts/reference", Program.built(), "commands"], capture_output=True, text=True, check=True).stdout
    assert text(ROOT / "docs/reference/commands.md") == printed, "run make reference"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_and_usage_errors_name_the_command(program, tmp_path, helps, name):
    assert re.search(rf"^USAGE: gallerygen {name}( |$)", helps[name], re.MULTILINE)
    error = program.run(name, "--not-an-option", cwd=tmp_path).err
    assert re.search(rf"^Usage: gallerygen {name}( |$)", error, re.MULTILINE)
    assert f"See 'gallerygen {name} --help'" in error


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_an_option_names_its_default_once(helps, name):
    assert [line for line in helps[name].splitlines() if line.count("default: ") > 1] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_an_example_in_the_help_is_broken(helps, name):
    """Examples are indented, and nothing else is before the usage."""
    before, usage, _ = helps[name].partition("USAGE:")
    examples = re.findall(r"^  .*(?:\n(?! |$).*)*", before, re.MULTILINE)
    assert usage and examples
    assert [example for example in examples if "\n" in example] == []


def section_of_commands(name):
    """What the page of commands says about a command."""
    page = text(ROOT / "docs/reference/commands.md")
    return page.partition(f"## `gallerygen {name}`")[2].partition("\n## ")[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_commands_shows_the_required_options_in_the_usage(helps, name):
    usage = re.search(r"^USAGE: (.*)$", helps[name], re.MULTILINE)[1]
    required = re.findall(rf"{OPTION} <[^>]+>", re.sub(r"\[[^]]*\]", "", usage))
    shown = re.search(rf"^    (gallerygen {name}\b.*)\n\n\| option", section_of_commands(name), re.MULTILINE)[1]
    assert [option for option in required if option not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_row_of_the_page_of_commands_has_two_cells_and_a_meaning_of_its_own(name):
    rows = [line for line in section_of_commands(name).splitlines() if line.startswith("| `")]
    cells = [re.split(r"(?<!\\)\|", row)[1:-1] for row in rows]
    assert rows and {len(row) for row in cells} == {2}
    meanings = [meaning for _, meaning in cells]
    assert len(set(meanings)) == len(meanings)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_commands_has_the_values_and_defaults_of_the_help(helps, name):
    section = section_of_commands(name)
    stated = re.findall(r"\((?:values|default): [^()]*(?:\([^()]*\)[^()]*)*\)", helps[name])
    assert stated
    assert [words for words in stated if words not in section] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_man_page_has_each_option_of_the_help_with_its_default(helps, man, name):
    shown = options(helps[name])
    assert "--help" in shown
    for option, (_, default) in shown.items():
        entry = re.search(rf"^\.B .*{option}\b.*\n(.*)$", man[name], re.MULTILINE)
        assert entry, f"{option} is not in the man page"
        assert default is None or entry[1].endswith(f"(default: {default})"), option


def test_help_reference_and_program_have_the_same_settings_with_the_same_defaults(helps, settings):
    shown = options(helps["build"])
    sections = {}
    for section in re.split(r"^### ", text(ROOT / "docs/reference/settings.md"), flags=re.MULTILINE)[1:]:
        option = re.search(OPTION, section.splitlines()[0])[0]
        sections[option] = section
    expected = {option_of_setting(name, value)[0] for name, value in settings.items()}
    assert set(sections) - {"--print-settings"} == expected
    # `--accept` is no setting, because it must not be in a settings file.
    assert set(shown) == set(sections) | {"--accept", "--version", "--help"}
    for name, value in settings.items():
        option, default = option_of_setting(name, value)
        assert shown[option][1] == default, option
        assert f"\n- Default: {default}\n" in sections[option], option
        assert f"`GALLERYGEN_{name.upper().replace('-', '_')}`" in sections[option], option
        assert name == "config" or f"`{name}: " in sections[option], option


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_commands_has_each_option_of_the_help(helps, name):
    rows = "\n".join(re.findall(r"^\| `(.*?)` \|", section_of_commands(name), re.MULTILINE))
    assert {option for option in options(helps[name]) if not re.search(rf"{option}\b", rows)} == set()


def test_each_option_in_a_page_exists(helps):
    known = set().union(*(set(re.findall(OPTION, help)) for help in helps.values()), *OTHER_OPTIONS.values())
    named = {(page.name, option) for page in PAGES for option in re.findall(OPTION, text(page))}
    assert len(named) > 100
    assert sorted((page, option) for page, option in named if option not in known) == []


def test_each_example_in_a_page_uses_options_of_its_command(helps):
    """`gallerygen check --quality 80` would use an option of another command."""
    lines = [(page.name, line) for page in PAGES for line in re.findall(
        r"(?:^|[`\s])gallerygen ((?:build|serve|publish|status|check|init|clean|shards)\b[^`\n#|&]*)", text(page))]
    assert len(lines) > 50
    wrong = [(page, line) for page, line in lines
             if not set(re.findall(OPTION, line)) <= set(re.findall(OPTION, helps[line.split()[0]]))]
    assert wrong == []


def test_each_variable_in_a_page_belongs_to_a_setting(settings):
    variables = {"GALLERYGEN_" + name.upper().replace("-", "_") for name in [*settings, "print-settings"]}
    # The variables of the tests
    variables |= {f"GALLERYGEN_{name}" for name in (
        "BIN", "CHROMIUM", "FAULTS_ONLY", "FAULTS_SEED", "FAULTS_SHARE")}
    named = {name for page in PAGES for name in re.findall(r"GALLERYGEN_[A-Z0-9_]+", text(page))}
    assert len(named) > 40
    assert named - variables == set()


def test_the_settings_in_the_examples_of_the_pages_are_accepted(program, tmp_path):
    examples = [(page.name, block) for page in PAGES for block in re.findall(
        r"^```yaml\n(.*?)^```$", text(page), re.MULTILINE | re.DOTALL)]
    assert len(examples) >= 4
    for page, block in examples:
        (tmp_path / "gallerygen.yaml").write_text(block, encoding="utf-8")
        variables = {name: "secret" for name in re.findall(r"\$\{(\w+)\}", block)}
        run = program.run("build", "--print-settings", cwd=tmp_path, env=variables)
        assert run.code == 0, (page, run.output)
        assert any(line.split("\t")[2].startswith("gallerygen.yaml") for line in run.out.splitlines()), page


def test_each_exit_code_in_a_table_of_a_page_exists(program, tmp_path):
    codes = set(re.findall(r"^\| (\d+)", text(ROOT / "docs/reference/exit-codes.md"), re.MULTILINE))
    assert {"0", "64", "65", "66", "73", "74", "75", "78"} <= codes
    for page in PAGES:
        tables = re.findall(r"^\| exit code \|.*?\n\n", text(page) + "\n\n", re.MULTILINE | re.DOTALL)
        for table in tables:
            assert set(re.findall(r"^\| (\d+) \|", table, re.MULTILINE)) <= codes, page.name


def test_the_schema_of_status_json_has_each_reason_of_the_reference():
    schema = text(ROOT / "docs/status.schema.json")
    reasons = re.findall(r"^\| `([a-z-]+)` \|", text(ROOT / "docs/reference/reasons.md"), re.MULTILINE)
    assert len(reasons) > 15
    assert [reason for reason in reasons if f'"{reason}"' not in schema] == []
