import std/strutils

for i in 0 ..< 163840: echo align($i, 63, '0')
