import std/[strutils, sequtils]

for _ in 1 .. stdin.readLine.parseInt:
  let pair = stdin.readLine.split.map(parseInt)
  echo pair[0] + pair[1]
