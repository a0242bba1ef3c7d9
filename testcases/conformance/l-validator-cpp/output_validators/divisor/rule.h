bool divides(long long d, long long n);
