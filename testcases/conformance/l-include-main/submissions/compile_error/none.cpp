long long thrice(long long n) { return 3 * n; }
