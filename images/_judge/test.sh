#!/bin/bash
# Tries docker-compose.yml whole, under a project name of its own: two workers,
# every sample submission over HTTP, a worker killed while it judges, backup and
# restore; then takes all down. Needs bin/judge and the images of the languages (make test-compose
# makes them) and root. It leaves caches in /var/cache/judge.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../_base/apt.sh
. "$here/../_base/apt.sh"
cd "$here/../.."

project=judge-test-$$
work=$(mktemp -d)
export JUDGE_IMAGE=$project/judge POSTGRES_IMAGE=$project/postgres
export JUDGE_ADDRESS=127.0.0.1: # any port
# Every kind of character that a file or a URL could take amiss.
# shellcheck disable=SC2089,SC2090 # they are meant
odd="'\"\$x \${y}%41/@:#?&\\ $(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')"
export POSTGRES_PASSWORD="p $odd" API_PASSWORD="a $odd"

find_compose() {
    command -v docker-compose >/dev/null || ! debian_like || install_packages docker-compose
    if command -v docker-compose >/dev/null; then
        compose=(docker-compose)
    elif docker compose version >/dev/null 2>&1; then
        compose=(docker compose)
    else
        die "neither docker-compose nor docker compose is to be had: install Docker Compose, 1.29 or later"
    fi
    : >"$work/env" # instead of somebody's .env
    compose+=(--env-file "$work/env" --project-name "$project" --file "$PWD/docker-compose.yml")
}

compose() { "${compose[@]}" "$@"; }

# shellcheck disable=SC2317 # a trap calls it
finish() {
    local code=$?
    trap - EXIT
    if [ $code != 0 ] && [ -n "${compose:-}" ]; then
        compose ps >&2 || true
        compose logs --no-color --tail 60 >&2 || true
    fi
    if [ -n "${compose:-}" ]; then
        compose down --volumes --remove-orphans --timeout 60 >"$work/down" 2>&1 || { cat "$work/down" >&2; code=1; }
        docker image rm --force "$JUDGE_IMAGE" "$POSTGRES_IMAGE" >/dev/null || code=1
        nothing_left || code=1
    fi
    rm -rf "$work"
    exit $code
}

# shellcheck disable=SC2317 # finish calls it
nothing_left() {
    local filter=label=com.docker.compose.project=$project left id
    left=$(docker ps -aq --filter "$filter"; docker volume ls -q --filter "$filter"; docker network ls -q --filter "$filter")
    [ -z "$left" ] || { say "still there: $left"; return 1; }
    while read -r id; do
        left=$(docker ps -aq --filter "label=judge.worker=$id"; find /run/judge /sys/fs/cgroup -maxdepth 3 -name "*$id*")
        [ -z "$left" ] || { say "of worker $id is still there: $left"; return 1; }
    done <"$work/workers"
}

wants() { # what command...
    local what=$1
    shift
    "$@" || die "not so: $what"
    say "$what"
}

healthy() { # service count
    local id count=0
    for id in $(compose ps -q "$1"); do
        [ "$(docker inspect --format '{{.State.Health.Status}}' "$id")" = healthy ] && count=$((count + 1))
    done
    [ "$count" = "$2" ]
}

await() { # seconds command...
    local end=$((SECONDS + $1))
    while [ $SECONDS -lt $end ]; do
        "${@:2}" && return 0
        sleep 1
    done
    die "after $1 s not yet: ${*:2}"
}

query() { compose exec -T postgres psql -U judge -Atc "$1" | tr -d '\r'; }

# What the API's container can do, told by the engine and by the kernel.
api_is_walled() {
    local id pid status
    id=$(compose ps -q api)
    pid=$(docker inspect --format '{{.State.Pid}}' "$id")
    status=/proc/$pid/status
    wants "the API is not root" [ "$(awk '/^Uid:/ {print $2}' "$status")" != 0 ]
    wants "the API has no capabilities" grep -q '^CapBnd:[[:space:]]*0*$' "$status"
    wants "the API cannot gain privileges" grep -q '^NoNewPrivs:[[:space:]]*1$' "$status"
    wants "the API's file system is read-only" [ "$(docker inspect --format '{{.HostConfig.ReadonlyRootfs}}' "$id")" = true ]
    # shellcheck disable=SC2016 # not ours to expand
    wants "nothing of the host is mounted into the API" [ -z "$(docker inspect --format '{{range .Mounts}}{{if ne .Type "volume"}}{{if ne .Type "tmpfs"}}{{.Source}}{{end}}{{end}}{{end}}' "$id")" ]
    wants "the API is a database role that owns nothing" [ "$(query "
        SELECT r.rolsuper OR r.rolcreaterole, count(a.pid) > 0, (SELECT count(*) FROM pg_tables WHERE tableowner = 'judge_api')
        FROM pg_roles r LEFT JOIN pg_stat_activity a ON a.usename = r.rolname
        WHERE r.rolname = 'judge_api' GROUP BY 1")" = "f|t|0" ]
    wants "the API sees no engine" docker exec "$id" bash -c '[ ! -e /var/run/docker.sock ] && [ ! -e /run/docker.sock ]'
}

token() {
    compose exec -T api judge token create --role admin --name "$1" --json | sed -n 's/.*"secret":"\([^"]*\)".*/\1/p'
}

# Every submission of the samples; fails where a verdict is not the one expected.
judge_samples() { bin/judge submit --package testcases/samples; }

# A worker that judges just now: it has leased a core.
busy_worker() {
    local id
    for id in $(compose ps -q worker); do
        if readlink "/proc/$(docker inspect --format '{{.State.Pid}}' "$id")"/fd/* | grep -q '^/run/judge/cores/'; then
            printf '%s\n' "$id" >"$work/busy"
            return
        fi
    done
    return 1
}

bring_up() {
    compose up --detach --scale worker=2 >"$work/up" 2>&1 || { cat "$work/up" >&2; die "docker-compose up failed"; }
    await 120 healthy api 1
    await 60 healthy worker 2
    # In cgroup, lock and label names a worker is the end of its id.
    compose exec -T worker bash -c 'cat /var/lib/judge/workers/*' | tr -d '\r-' | sed 's/.*\(.\{12\}\)$/\1/' >>"$work/workers"
}

# What a backup must bring back.
kept() {
    query "SELECT md5(string_agg(j::text, ' ' ORDER BY id)) FROM (SELECT id, submission_id, verdict, score FROM judgements) j"
    query "SELECT count(*) FROM runs"
}

find_compose
trap finish EXIT
trap 'exit 130' INT TERM HUP
touch "$work/workers"

say "building the images"
docker build --quiet --tag "$POSTGRES_IMAGE" images/_postgres >"$work/build" 2>&1 || { cat "$work/build" >&2; die "building images/_postgres failed"; }
compose build >"$work/build" 2>&1 || { cat "$work/build" >&2; die "building images/_judge failed"; }

say "bringing it up with two workers"
bring_up
wants "two workers have ids of their own" [ "$(sort -u "$work/workers" | wc -l)" = 2 ]
JUDGE_URL=http://$(compose port api 8080)
JUDGE_TOKEN=$(token test)
export JUDGE_URL JUDGE_TOKEN
[ -n "$JUDGE_TOKEN" ] || die "judge token create printed no secret"
api_is_walled

bin/judge problem import --now --reason test testcases/samples
judge_samples >"$work/judged" || { cat "$work/judged"; die "not everything was judged as expected"; }
tail -n 1 "$work/judged"

say "again, and one worker is killed"
judge_samples >"$work/judged" &
judging=$!
await 60 busy_worker
docker kill "$(cat "$work/busy")" >/dev/null
wait "$judging" || { cat "$work/judged"; die "not everything was judged, or not as expected"; }
tail -n 1 "$work/judged"
# It comes back as the same worker, and removes what it left.
bring_up
wants "it is still the same worker" [ "$(sort -u "$work/workers" | wc -l)" = 2 ]

say "a backup, new volumes, the way back"
install -d -o 8700 -m 0700 "$work/backup"
chmod 0711 "$work"
compose run --rm --no-deps --volume "$work/backup:/b" migrate backup /b/today.judge
before=$(kept)
compose down --volumes --timeout 60 >"$work/down" 2>&1 || { cat "$work/down" >&2; die "docker-compose down failed"; }
compose run --rm --volume "$work/backup:/b" migrate restore /b/today.judge
bring_up
wants "every judgement and every run is back" [ "$(kept)" = "$before" ]
JUDGE_URL=http://$(compose port api 8080)
bin/judge submit --problem aplusb --wait testcases/samples/aplusb/submissions/accepted/sum.py

say "all of it works; taking it down"
