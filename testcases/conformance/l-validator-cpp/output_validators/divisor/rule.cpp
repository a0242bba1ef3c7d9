#include "rule.h"

bool divides(long long d, long long n) { return d > 1 && n % d == 0; }
