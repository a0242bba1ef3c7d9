import std/strutils

let n = stdin.readLine.parseInt
var sums: array[4, int]
var threads: array[4, Thread[tuple[k, n: int, sum: ptr int]]]

proc add(job: tuple[k, n: int, sum: ptr int]) {.thread.} =
  for i in countup(job.k, job.n, 4): job.sum[] += i

for k in 0 .. 3: createThread(threads[k], add, (k + 1, n, addr sums[k]))
joinThreads(threads)
echo sums[0] + sums[1] + sums[2] + sums[3]
