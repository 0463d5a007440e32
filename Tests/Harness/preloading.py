"""Compiles libraries for LD_PRELOAD, which replace functions of the libraries that a program loads."""

import shutil
import subprocess
import sys


def compile_library(source, library):
    """Compiles a C file as a shared library, and returns the library's path."""
    assert sys.platform == "linux", "LD_PRELOAD works like this only on Linux"
    compiler = shutil.which("clang") or shutil.which("cc")
    assert compiler, "there is no C compiler; Swift's toolchain contains clang"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, source, "-ldl"], check=True)
    return library
