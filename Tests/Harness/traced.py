"""Reads what disk_tracer.py wrote."""

import pickle


def read_calls(path):
    calls = []
    with open(path, "rb") as file:
        while True:
            try:
                calls.append(pickle.load(file))
            except EOFError:
                return calls
