// Forgets the way back to the first post.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<double> x(n), y(n);
    for (int i = 0; i < n; i++) std::cin >> x[i] >> y[i];
    double wire = 0;
    for (int i = 0; i + 1 < n; i++) wire += std::hypot(x[i + 1] - x[i], y[i + 1] - y[i]);
    std::printf("%.9f\n", wire);
}
