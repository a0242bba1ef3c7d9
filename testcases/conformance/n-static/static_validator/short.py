"""Rejects a submission with the word while in its entry file."""
import sys

language, entry, feedback = sys.argv[1:4]
assert language == "python3", language
sys.exit(43 if "while" in open(entry).read() else 42)
