"""Accepts any peaceful row: wall_validator.py input answer feedback/ difference=D < output

The input, the answer and the flags are the jury's; a fault in them ends in an exception, whose exit code 1 is a judging
error. The output is anybody's: nothing of it is believed, and only its digits reach the message.
"""
import os
import sys

ACCEPT, REJECT = 42, 43
LONGEST = 1 << 20  # bytes; an honest row of 20,000 cats has some 109,000


def judge(n, possible, difference, output):
    if len(output) > LONGEST:
        return REJECT, "far too much output"
    words = output.split()
    if words == [b"impossible"]:
        return (REJECT, "there is a row") if possible else (ACCEPT, "there is none indeed")
    if len(words) != n:
        return REJECT, f"{len(words)} words for {n} cats"
    seen = [False] * (n + 1)
    before = None
    for place, word in enumerate(words, 1):
        # isdigit of bytes knows ASCII only; the length keeps int() cheap.
        if not word.isdigit() or len(word) > 5 or not 1 <= int(word) <= n:
            return REJECT, f"place {place}: no cat of the village"
        cat = int(word)
        if seen[cat]:
            return REJECT, f"place {place}: cat {cat} sits there a second time"
        if before is not None and abs(cat - before) < difference:
            return REJECT, f"place {place}: cats {before} and {cat} fight"
        seen[cat] = True
        before = cat
    if not possible:
        raise ValueError("the jury has no row, but there is one")
    return ACCEPT, "peace"


def main():
    input_path, answer_path, feedback, *flags = sys.argv[1:]
    with open(input_path, "rb") as file:
        n = int(file.read())
    with open(answer_path, "rb") as file:
        possible = file.read().split() != [b"impossible"]
    difference = int(dict(flag.split("=", 1) for flag in flags)["difference"])
    code, message = judge(n, possible, difference, sys.stdin.buffer.read(LONGEST + 1))
    with open(os.path.join(feedback, "judgemessage.txt"), "w", encoding="ascii") as file:
        print(message, file=file)
    sys.exit(code)


main()
