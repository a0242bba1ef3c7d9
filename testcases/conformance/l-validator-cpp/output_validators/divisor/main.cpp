#include <fstream>
#include <iostream>

#include "rule.h"

int main(int argc, char **argv) {
    long long n, d;
    if (argc < 4 || !(std::ifstream(argv[1]) >> n)) return 1;
    return std::cin >> d && divides(d, n) ? 42 : 43;
}
