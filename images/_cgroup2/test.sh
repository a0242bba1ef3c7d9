#!/bin/bash
# Runs the tests of runner/docker on cgroup v2 in the virtual machine of vm.sh,
# whose variables hold here too. Arguments go to the test binary.
#
# usage: test.sh [-test.run=REGEXP] ...
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2317 # a trap calls it
finish() {
    [ -z "$machine" ] || kill "$machine" 2>/dev/null || true
    rm -rf "$payload"
}
machine="" payload=$(mktemp -d)
trap finish EXIT
trap 'exit 130' INT TERM HUP

cd "$here/../.."
go test -c -tags docker -o "$payload/docker.test" ./runner/docker
CGO_ENABLED=0 go build -o "$payload/judge-agent" ./cmd/judge/agent
go run ./images/_cgroup2/programs "$payload/programs"
CGO_ENABLED=0 go build -o "$payload/programs/seccomp" ./runner/docker/testdata/seccomp
cp "$here/smoke.sh" "$payload/smoke.sh"
cp -r runner/docker/testdata "$payload/testdata"
"$here/../_base/engine.sh"
"$here/../_base/base.sh" trixie
docker save -o "$payload/debian.tar" debian:trixie-slim # some tests want a shell in a box
cat >"$payload/run.sh" <<EOF
bash ./smoke.sh || { echo "This is not the machine that was asked for."; exit 1; }
docker load --quiet --input debian.tar || exit 1
exec ./docker.test -test.v -test.timeout=0 -agent=\$PWD/judge-agent \\
    -programs=\$PWD/programs -scale=\$JUDGE_SCALE $(printf '%q ' "$@")
EOF
"$here/vm.sh" "$payload" &
machine=$!
wait "$machine"
