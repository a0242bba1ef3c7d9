long n = System.in.newReader().readLine() as long
def sums = new long[4]
def threads = (0..3).collect { k ->
    Thread.start { for (long i = k + 1; i <= n; i += 4) sums[k] += i }
}
threads*.join()
println sums.sum()
