#!/bin/bash
# Makes a Docker engine answer: does nothing where one does, else starts the one
# that is installed, else, as root on Debian or Ubuntu, installs it. Anywhere
# else it says what to install, and fails.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=apt.sh
. "$(dirname "$0")/apt.sh"

log=/var/log/judge-dockerd.log
started="" # process that this script started

answers() { command -v docker >/dev/null && timeout 20 docker version >/dev/null 2>&1; }

start_engine() {
    if [ -d /run/systemd/system ]; then
        say "starting docker.service"
        systemctl start docker >&2 || say "systemctl start docker failed; see journalctl -u docker"
        return
    fi
    say "starting dockerd, which writes to $log"
    setsid dockerd >>"$log" 2>&1 </dev/null &
    started=$!
}

# Waits a minute at most; a first start may make its store.
wait_for_engine() {
    local i
    for i in $(seq 60); do
        answers && return 0
        if [ -n "$started" ] && ! kill -0 "$started" 2>/dev/null; then
            break
        fi
        [ $((i % 5)) -ne 1 ] || say "waiting for the Docker engine ($i s)"
        sleep 1
    done
    [ ! -s "$log" ] || tail -n 20 "$log" >&2
    die "the Docker engine does not answer; see $log or journalctl -u docker"
}

if answers; then
    exit 0
fi
if [ "$(id -u)" != 0 ]; then
    die "no Docker engine answers. Run this as root, or start Docker and add yourself to the group docker (https://docs.docker.com/engine/install/)"
fi
if ! command -v dockerd >/dev/null || ! command -v docker >/dev/null; then
    debian_like || die "no Docker engine answers. Install Docker Engine 20.10 or later (https://docs.docker.com/engine/install/), start it, and run this again"
    install_packages docker.io iptables
    # From Debian 13 and Ubuntu 24.04 on, the client is a package of its own.
    command -v docker >/dev/null || install_packages docker-cli
fi
start_engine
wait_for_engine
say "Docker engine $(docker version --format '{{.Server.Version}}') answers"
