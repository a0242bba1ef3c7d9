// Recurses without end, 1 KiB a call. The stack is bounded by memory alone, so this is no segmentation fault.
#include <cstdio>

namespace {

int generations(int dragon) {
    volatile char name[1024];
    for (int i = 0; i < 1024; i += 64) name[i] = static_cast<char>(dragon);
    if (dragon == 1 << 20) return 0;  // after 1 GiB
    return generations(dragon + 1) + name[dragon % 16 * 64];
}

}  // namespace

int main() { std::printf("%d\n", generations(1)); }
