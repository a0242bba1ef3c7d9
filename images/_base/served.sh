# shellcheck shell=bash
# Sourced by demo.sh and stop.sh: where the demo's judge serve is, and whether it
# runs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
judge=$root/bin/judge
data=${JUDGE_DATA:-/var/lib/judge}
# shellcheck disable=SC2034 # for whoever sources this
log=$data/serve.log
pid_file=$data/serve.pid

# Prints the process that the pid file names, if that is still the judge of this
# clone: by its program, for the number may be another's by now.
served() {
    local pid exe
    pid=$(cat "$pid_file" 2>/dev/null) || return
    [[ $pid =~ ^[1-9][0-9]*$ ]] || return
    exe=$(readlink "/proc/$pid/exe") || return
    [ "${exe% (deleted)}" = "$judge" ] || return
    tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | sed -n 2p | grep -qx serve || return
    echo "$pid"
}
