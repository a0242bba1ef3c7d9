# Runs while it is compiled.
const n = static:
  var x = 0
  while x < 2: x = (x + 1) mod 2
  x

echo n
