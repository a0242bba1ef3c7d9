# shellcheck shell=bash
# Sourced by the other scripts: messages, and installing packages.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$@"; exit 1; }

debian_like() {
    command -v apt-get >/dev/null && grep -Eq '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release 2>/dev/null
}

# Installs what is missing of the packages; lists are fetched anew only where
# the ones at hand do not do.
install_packages() {
    local missing=() package
    for package; do
        # shellcheck disable=SC2016 # dpkg-query expands it
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${missing[*]}"
    local install=(apt-get install -y -q --no-install-recommends "${missing[@]}")
    export DEBIAN_FRONTEND=noninteractive
    if "${install[@]}" >/dev/null 2>&1; then
        return
    fi
    if ! apt-get update -q >&2 || ! "${install[@]}" >&2; then
        die "apt-get install ${missing[*]} failed, see above"
    fi
}
