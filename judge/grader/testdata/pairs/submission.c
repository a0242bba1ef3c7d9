#include "player.h"

// Answers each number n with n + step, until there is no more to read.
static int talk(long step) {
    long n;
    while (scanf("%ld", &n) == 1) {
        printf("%ld\n", n + step);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "talk";
    if (is(mode, "talk")) return talk(1);
    if (is(mode, "wrong")) return talk(2);
    if (is(mode, "leave")) return 0;
    if (is(mode, "crash")) abort();
    if (is(mode, "wrong-and-crash")) { write(1, "-1\n", 3); usleep(100000); abort(); }
    if (is(mode, "end-badly")) { to_end(); return 3; }
    if (is(mode, "listen")) to_end();
    if (is(mode, "flood")) flood(-1);
    if (is(mode, "late-words")) { to_end(); flood(1 << 20); }
    if (is(mode, "burn")) burn();
    if (is(mode, "sleep")) forever();
    if (is(mode, "close-out")) { close(1); to_end(); }
    if (is(mode, "close-in")) { close(0); usleep(20000); write(1, "1\n", 2); }
    if (is(mode, "leave-child")) { if (fork() == 0) forever(); }
    if (is(mode, "eat")) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
    return 0;
}
