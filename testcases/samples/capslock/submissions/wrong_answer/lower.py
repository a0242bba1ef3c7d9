# Makes everything small: right only where case does not matter.
import sys

print(sys.stdin.read().lower(), end="")
