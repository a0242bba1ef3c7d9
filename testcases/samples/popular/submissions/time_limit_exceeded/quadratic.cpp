// Counts anew for every stamp: right, and far too slow for the largest input (160,000,000,000 comparisons).
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<int> stamps(n);
    for (int &stamp : stamps) {
        if (std::scanf("%d", &stamp) != 1) return 1;
    }
    int best = 0, most = 0;
    for (int stamp : stamps) {
        int times = 0;
        for (const volatile int &other : stamps) times += other == stamp;
        if (times > most || (times == most && stamp < best)) most = times, best = stamp;
    }
    std::printf("%d\n", best);
}
