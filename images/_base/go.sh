#!/bin/bash
# Says what to do where Go is missing or too old for this module.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=apt.sh
. "$(dirname "$0")/apt.sh"

want=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' "$(dirname "$0")/../../go.mod")
command -v go >/dev/null ||
    die "Go is missing: install Go $want or later from https://go.dev/dl/ and put it on the PATH (Debian's is too old)"
have=$(go env GOVERSION | sed 's/^go\([0-9]*\.[0-9]*\).*/\1/')
# Since 1.21 the go command fetches the toolchain that go.mod asks for.
[ "$(printf '%s\n' 1.21 "$have" | sort -V | head -n 1)" = 1.21 ] ||
    die "Go is version $have: install Go $want or later from https://go.dev/dl/ and put it first on the PATH"
