// What both players of a pair can do. Modes are named by arguments.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void to_end(void) {
    char buf[4096];
    while (read(0, buf, sizeof buf) > 0) {}
}

static void forever(void) {
    for (;;) pause();
}

static void burn(void) {
    for (volatile long i = 0;; i++) {}
}

// Writes n bytes, or for ever where n is negative. SIGPIPE ends it.
static void flood(long n) {
    char buf[4096];
    memset(buf, 'x', sizeof buf);
    buf[sizeof buf - 1] = '\n';
    for (long done = 0; n < 0 || done < n; done += sizeof buf)
        if (write(1, buf, sizeof buf) < 0) exit(32);
}

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }
