import std/[strutils, sequtils, math]

for i, line in toSeq(lines("/dev/stdin")):
  if i > 0: echo line.split.map(parseInt).sum
