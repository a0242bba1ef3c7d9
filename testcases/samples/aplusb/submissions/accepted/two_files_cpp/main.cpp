// A folder is one submission: main.cpp and sum.cpp are compiled and linked together.
#include <cstdio>

#include "sum.h"

int main() {
    long long a, b;
    if (std::scanf("%lld %lld", &a, &b) != 2) return 1;
    std::printf("%lld\n", sum(a, b));
}
