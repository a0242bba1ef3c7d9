#!/bin/bash
# Makes the disk of a Debian machine with systemd, Docker and cgroup v2, with its
# kernel and initrd, and prints the folder that holds the three. What is made once
# is kept; a change of this file makes it anew.
#
# usage: image.sh SUITE
# JUDGE_CGROUP2_CACHE, XDG_CACHE_HOME: where images are kept (see below)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../_base/base.sh
. "$here/../_base/base.sh"

cache() {
    if [ -n "${JUDGE_CGROUP2_CACHE:-}" ]; then
        printf '%s\n' "$JUDGE_CGROUP2_CACHE"
    elif [ -n "${XDG_CACHE_HOME:-}" ]; then
        printf '%s/judge/cgroup2\n' "$XDG_CACHE_HOME"
    else
        printf '/var/cache/judge/cgroup2\n'
    fi
}

# The unit runs whatever payload is on the second disk, and ends the machine.
unit() {
    cat <<'EOF'
[Unit]
Description=Run the payload
Requires=dev-disk-by\x2did-virtio\x2dpayload.device
After=dev-disk-by\x2did-virtio\x2dpayload.device

[Service]
Type=exec
TasksMax=infinity
LimitNOFILE=65536
ExecStartPre=/bin/mkdir -p /payload
ExecStartPre=/bin/tar -xf /dev/disk/by-id/virtio-payload -C /payload
ExecStart=/bin/bash /payload/guest.sh
StandardOutput=journal+console
ExecStopPost=/bin/systemctl poweroff --force

[Install]
WantedBy=multi-user.target
EOF
}

# Turns a fresh root folder into a machine that does nothing but the payload.
# The payload starts Docker when it has chosen the cgroup driver. Under emulation
# every unit that does not run is a second won; Docker loads its AppArmor profile
# itself.
furnish() {
    local root=$1 units=$1/etc/systemd/system unit
    mkdir -p "$units/multi-user.target.wants"
    unit >"$units/judge-payload.service"
    ln -s ../judge-payload.service "$units/multi-user.target.wants/"
    rm -f "$units"/*.wants/docker.* "$units"/*.wants/containerd.service
    for unit in apparmor.service apt-daily.timer apt-daily-upgrade.timer \
        dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer \
        getty@tty1.service serial-getty@ttyS0.service systemd-logind.service \
        systemd-networkd.service systemd-networkd.socket \
        systemd-networkd-wait-online.service systemd-timesyncd.service; do
        ln -sf /dev/null "$units/$unit"
    done
    printf 'judge-cgroup2\n' >"$root/etc/hostname"
    printf '127.0.0.1 localhost judge-cgroup2\n' >"$root/etc/hosts"
    printf '/dev/vda / ext4 defaults 0 0\n' >"$root/etc/fstab"
    printf 'uninitialized\n' >"$root/etc/machine-id"
}

make_disk() {
    local suite=$1 to=$2 work packages
    work=$(mktemp -d "$to.XXXXXX")
    # shellcheck disable=SC2064 # its value now
    trap "rm -rf --one-file-system '$work'" EXIT
    packages=linux-image-cloud-amd64,systemd-sysv,dbus,udev,kmod,docker.io,iptables,apparmor,busybox-static
    # The client is in a package of its own since trixie.
    [ "$suite" = bookworm ] || packages+=,docker-cli
    say "making a machine of Debian $suite (two minutes and more)"
    bootstrap "$suite" "$work/root" "$work" --format=directory --include="$packages"
    furnish "$work/root"
    mkdir "$work/made"
    cp "$work/root"/boot/vmlinuz-* "$work/made/vmlinuz"
    cp "$work/root"/boot/initrd.img-* "$work/made/initrd"
    truncate -s 6G "$work/made/disk"
    mke2fs -q -t ext4 -d "$work/root" "$work/made/disk"
    mv -T "$work/made" "$to"
    rm -rf --one-file-system "$work"
    trap - EXIT
}

[ $# = 1 ] || die "usage: ${0##*/} SUITE"
[[ $1 =~ ^[a-z]+$ ]] || die "$1 is no suite of Debian, as trixie is"
[ "$(id -u)" = 0 ] || die "making the machine needs root"
[ "$(uname -m)" = x86_64 ] || die "only for x86_64 machines"
dir=$(cache)
mkdir -p "$dir"
made=$dir/$1-$(sha256sum "$0" | cut -c1-16)
exec 9>"$dir/lock"
flock 9
if [ ! -e "$made" ]; then
    rm -rf --one-file-system "$dir/$1"-* # older ones, and what a killed run left
    make_disk "$1" "$made"
fi
printf '%s\n' "$made"
