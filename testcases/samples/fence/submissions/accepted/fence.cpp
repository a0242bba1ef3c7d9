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
    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n;
        wire += std::hypot(x[next] - x[i], y[next] - y[i]);
    }
    std::printf("%.9f\n", wire);
}
