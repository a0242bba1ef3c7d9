#!/bin/bash
# Makes debian:SUITE-slim, on which the images of the languages stand: pulled
# where a registry answers, else made of Debian packages by mmdebstrap with this
# machine's own mirror, proxy and certificates. Does nothing where it exists.
#
# usage: base.sh SUITE...
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/apt.sh"

# The mirror that apt of this machine takes archive $1 (debian or
# debian-security) from; Debian's own where the machine is not Debian.
mirror() {
    local found=""
    if command -v apt-get >/dev/null && grep -q '^ID=debian$' /etc/os-release 2>/dev/null; then
        # shellcheck disable=SC2016 # apt expands it
        found=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
            sed -n "s,/$1/*\$,/$1,p")
        found=${found%%$'\n'*}
    fi
    printf '%s\n' "${found:-http://deb.debian.org/$1}"
}

# What apt was told about fetching (proxies, certificates, checks of dates) goes
# for apt in the image too.
fetching() {
    command -v apt-config >/dev/null || return 0
    apt-config dump --no-empty --format '%f "%v";%n' Acquire 2>/dev/null |
        grep -E '^Acquire::(https?::|Retries|Check-Date|Check-Valid-Until|ForceIPv)' || true
}

# Makes a root of SUITE out of packages, with the options for mmdebstrap that
# follow: bootstrap SUITE TARGET WORK OPTION... WORK is a folder to write to.
bootstrap() {
    local suite=$1 target=$2 work=$3 main security
    shift 3
    main=$(mirror debian)
    security=$(mirror debian-security)
    fetching >"$work/fetching"
    local options=("$@" --variant=minbase
        --keyring=/usr/share/keyrings/debian-archive-keyring.gpg
        --aptopt='APT::Install-Recommends "false"'
        --aptopt='Acquire::Languages "none"'
        --dpkgopt='path-exclude=/usr/share/man/*'
        --dpkgopt='path-exclude=/usr/share/info/*'
        --dpkgopt='path-exclude=/usr/share/locale/*'
        --dpkgopt='path-exclude=/usr/share/doc/*'
        --dpkgopt='path-include=/usr/share/doc/*/copyright')
    if [ -s "$work/fetching" ]; then
        options+=("--aptopt=$work/fetching")
    fi
    # An https mirror may be signed by an authority of the house.
    if [[ $main$security == *https:* ]]; then
        options+=(--include=ca-certificates)
        if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
            options+=(--customize-hook='copy-in /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs')
        fi
    fi
    mmdebstrap "${options[@]}" "$suite" "$target" \
        "deb $main $suite main" \
        "deb $main $suite-updates main" \
        "deb $security $suite-security main" >&2 ||
        die "mmdebstrap failed, see above; does $main answer?"
}

make_base() {
    local suite=$1 tmp
    [ "$(id -u)" = 0 ] || die "making debian:$suite-slim needs root: run this as root, or make docker pull debian:$suite-slim work"
    if debian_like; then
        install_packages mmdebstrap debian-archive-keyring
    fi
    command -v mmdebstrap >/dev/null ||
        die "no registry answers, and mmdebstrap is missing: install it (on Debian or Ubuntu), or make docker pull debian:$suite-slim work"
    [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] ||
        die "Debian's keys, /usr/share/keyrings/debian-archive-keyring.gpg, are missing: install debian-archive-keyring"
    tmp=$(mktemp -d)
    # shellcheck disable=SC2064 # its value now
    trap "rm -rf '$tmp'" EXIT
    say "making debian:$suite-slim of packages (half a minute and more)"
    # Files are no newer than this, so that the same packages give the same tar.
    SOURCE_DATE_EPOCH=1735689600 bootstrap "$suite" "$tmp/base.tar" "$tmp" --format=tar
    docker import --change 'CMD ["bash"]' "$tmp/base.tar" "debian:$suite-slim" >/dev/null
    rm -rf "$tmp"
    trap - EXIT
    say "debian:$suite-slim is made"
}

# ../_cgroup2/image.sh takes the functions above.
[ "${BASH_SOURCE[0]}" = "$0" ] || return 0

[ $# -gt 0 ] || die "usage: ${0##*/} SUITE..."
for suite; do
    [[ $suite =~ ^[a-z]+$ ]] || die "$suite is no suite of Debian, as trixie is"
    if docker image inspect "debian:$suite-slim" >/dev/null 2>&1; then
        continue
    fi
    docker version >/dev/null 2>&1 || die "no Docker engine answers: run images/_base/engine.sh"
    say "pulling debian:$suite-slim"
    # A registry that swallows packets must not hold up what works without it.
    if timeout 90 docker pull --quiet "debian:$suite-slim" >&2; then
        continue
    fi
    make_base "$suite"
done
