#!/bin/bash
# Makes a C compiler that links statically: the attack programs of the tests are
# built with it.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=apt.sh
. "$(dirname "$0")/apt.sh"

works() {
    command -v gcc >/dev/null && echo 'int main(void){return 0;}' | gcc -static -x c -o /dev/null - 2>/dev/null
}

works && exit 0
if ! debian_like || [ "$(id -u)" != 0 ]; then
    die "a C compiler with a static C library is missing: install gcc and libc6-dev (glibc-static on Fedora)"
fi
install_packages gcc libc6-dev
works || die "gcc does not link a static program"
