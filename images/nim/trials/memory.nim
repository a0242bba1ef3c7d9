var all: seq[seq[int]]
for i in 0 ..< 4096:
  var chunk = newSeq[int](1 shl 17)
  for x in chunk.mitems: x = i
  all.add chunk
echo "Hello, world! ", all.len
