#!/bin/bash
# Shows the whole service at work: starts judge serve in the background unless one
# of this very build runs, imports testcases/samples and submits all that is in it
# over HTTP. Safe to repeat. JUDGE_DATA and JUDGE_LISTEN name other places.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=apt.sh
. "$(dirname "$0")/apt.sh"
# shellcheck source-path=SCRIPTDIR source=served.sh
. "$(dirname "$0")/served.sh"

env_file=$root/.demo.env
url=http://${JUDGE_LISTEN:-127.0.0.1:8080}

[ "$(id -u)" = 0 ] || die "judging needs root (it makes cgroups and boxes): sudo make demo"

add_user() { # who the API runs as: nobody else's files are its own
    getent passwd judge >/dev/null && return
    command -v useradd >/dev/null || die "there is no user judge for the API to run as: make one as useradd --system judge would"
    say "adding the system user judge"
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin judge
}

# What is left of a start that failed; then it is said where to look.
failed() {
    tail -n 15 "$log" >&2
    die "$1; its log is $log"
}

start() {
    mkdir -p "$data"
    say "starting judge serve, which writes to $log"
    setsid "$judge" serve >"$log" 2>&1 </dev/null &
    local i started=$!
    echo "$started" >"$pid_file"
    for i in $(seq 600); do
        "$judge" ready "$url/readyz" >/dev/null 2>&1 && return
        kill -0 "$started" 2>/dev/null || failed "judge serve has ended"
        [ $((i % 50)) -ne 0 ] || say "waiting for it ($((i / 10)) s)"
        sleep 0.1
    done
    failed "judge serve is not ready after a minute: $("$judge" ready "$url/readyz" 2>&1)"
}

# The token of the demo before, if it is still one; else a new one.
make_token() {
    if [ -f "$env_file" ] && grep -qx "JUDGE_URL=$url" "$env_file"; then
        JUDGE_TOKEN=$(sed -n 's/^JUDGE_TOKEN=//p' "$env_file")
        export JUDGE_TOKEN
        "$judge" problem list >/dev/null 2>&1 && return
    fi
    JUDGE_TOKEN=$("$judge" token create --role admin --name demo 2>/dev/null) ||
        die "no token could be made: $("$judge" token list 2>&1 | tail -n 1)"
    rm -f "$env_file"
    (umask 077 && printf 'JUDGE_URL=%s\nJUDGE_TOKEN=%s\n' "$url" "$JUDGE_TOKEN" >"$env_file")
    [ -z "${SUDO_UID:-}" ] || chown "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$env_file"
}

"$(dirname "$0")/postgres.sh"
add_user
if pid=$(served) && cmp -s "/proc/$pid/exe" "$judge"; then
    say "judge serve of this build runs already (process $pid)"
else
    "$(dirname "$0")/stop.sh"
    start
fi
export JUDGE_URL=$url JUDGE_TOKEN
make_token

"$judge" problem import --now --reason "make demo" "$root/testcases/samples"
"$judge" submit --package "$root/testcases/samples"

cat <<EOT

The judge serves on $url, its API is described at $url/docs.
  token           $JUDGE_TOKEN
                  (with the URL in .demo.env, where bin/judge submit and bin/judge problem find them)
  submit          bin/judge submit --problem aplusb --wait FILE
  log             $log
  stop it         make stop
EOT
