// Loops while it is compiled.
constexpr unsigned long spin(unsigned long n) {
    unsigned long x = 1;
    for (unsigned long i = 0; i < n; i++)
        for (unsigned long k = 0; k < 100000; k++) x = x * 6364136223846793005u + i + k;
    return x;
}
constexpr unsigned long result = spin(1u << 20);

int main() {
    return result & 1;
}
