// Each door of the first choice wins with 1/d; what remains of (d-s)/d is shared by the d-s-e others. These are never
// worse, so as many of them as possible are taken.
#include <algorithm>
#include <cstdio>
#include <iostream>

int main() {
    double d, s, e;
    std::cin >> d >> s >> e;
    const double others = d - s - e, taken = std::min(s, others);
    std::printf("%.12f\n", (taken * (d - s) / others + s - taken) / d);
}
