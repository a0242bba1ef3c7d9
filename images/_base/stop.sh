#!/bin/bash
# Ends the judge serve that demo.sh started, in good order: what runs is finished
# or handed back, and Postgres stops. Nothing of the data is lost by it.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=apt.sh
. "$(dirname "$0")/apt.sh"
# shellcheck source-path=SCRIPTDIR source=served.sh
. "$(dirname "$0")/served.sh"

gone() { # waits $1 seconds at most
    local i
    for i in $(seq $(($1 * 10))); do
        kill -0 "$pid" 2>/dev/null || return 0
        [ $((i % 50)) -ne 0 ] || say "waiting for process $pid ($((i / 10)) s)"
        sleep 0.1
    done
    return 1
}

if ! pid=$(served); then
    rm -f "$pid_file"
    exit 0
fi
say "stopping judge serve (process $pid)"
kill -TERM "$pid"
if ! gone 60; then
    say "it does not end in good order; stopping it at once"
    kill -TERM "$pid" 2>/dev/null || true
    gone 15 || die "process $pid does not end; its log is $log"
fi
rm -f "$pid_file"
