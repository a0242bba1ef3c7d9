import std.stdio, core.thread;

__gshared long[4] sums;

void main() {
    int n;
    readf(" %d", &n);
    Thread[] threads;
    foreach (k; 0 .. 4) {
        auto make(int k) {
            return new Thread({ for (long i = k + 1; i <= n; i += 4) sums[k] += i; });
        }
        threads ~= make(k).start();
    }
    foreach (t; threads) t.join();
    writeln(sums[0] + sums[1] + sums[2] + sums[3]);
}
