#include <iostream>
#include <thread>
#include <vector>

int main() {
    long n, sums[4] = {}, sum = 0;
    std::cin >> n;
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; k++)
        threads.emplace_back([&, k] { for (long i = k + 1; i <= n; i += 4) sums[k] += i; });
    for (auto &t : threads) t.join();
    for (long s : sums) sum += s;
    std::cout << sum << '\n';
}
