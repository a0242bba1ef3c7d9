#include "player.h"

// Asks count times; 42 if all answers are right.
static int ask(int count) {
    for (long i = 0; i < count; i++) {
        long got;
        printf("%ld\n", i);
        fflush(stdout);
        if (scanf("%ld", &got) != 1 || got != i + 1) return 43;
    }
    return 42;
}

int main(int argc, char **argv) {
    const char *mode = argc > 4 ? argv[4] : "ask";
    if (is(mode, "ask")) return ask(200);
    if (is(mode, "accept")) return 42;
    if (is(mode, "reject")) return 43;
    if (is(mode, "crash")) abort();
    if (is(mode, "zero")) return 0;
    if (is(mode, "listen-reject")) { to_end(); return 43; }
    if (is(mode, "listen-accept")) { to_end(); return 42; }
    if (is(mode, "flood")) { flood(10 << 20); return 42; }
    if (is(mode, "deaf")) { close(0); usleep(20000); return 43; }
    if (is(mode, "hang")) forever();
    if (is(mode, "close-out")) { close(1); to_end(); return 42; }
    if (is(mode, "close-out-reject")) { close(1); to_end(); return 43; }
    if (is(mode, "sip")) { char buf[1 << 16]; for (int i = 0; i < 100; i++) if (read(0, buf, sizeof buf) <= 0) break; return 43; }
    if (is(mode, "slow-reject")) { to_end(); usleep(60000); return 43; }
    return 1;
}
