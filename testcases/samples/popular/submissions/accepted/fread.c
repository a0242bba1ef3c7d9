#include <stdio.h>

static char buffer[1 << 16];
static int sold[100000];

static int next_byte(void) {
    static size_t at, end;
    if (at == end) {
        end = fread(buffer, 1, sizeof buffer, stdin);
        at = 0;
        if (end == 0) return -1;
    }
    return buffer[at++];
}

static int next_number(void) {
    int c = next_byte(), number = 0;
    while (c == ' ' || c == '\n') c = next_byte();
    for (; c >= '0' && c <= '9'; c = next_byte()) number = number * 10 + c - '0';
    return number;
}

int main(void) {
    int best = 0;
    for (int n = next_number(); n > 0; n--) sold[next_number() % 100000]++;
    for (int stamp = 1; stamp < 100000; stamp++) {
        if (sold[stamp] > sold[best]) best = stamp;
    }
    printf("%d\n", best);
    return 0;
}
