#!/bin/bash
# Runs something as root in a virtual machine with cgroup v2, systemd and Docker:
# FOLDER goes into the machine, and its run.sh is run there once Docker is up,
# with the folder as its working folder. Its output comes out as it is written;
# its exit code becomes that of vm.sh (125: the machine failed; 124: time is up).
# Nothing in the machine outlives it, and it has no network.
#
# usage: vm.sh FOLDER
# SUITE    Debian's: trixie (default, Linux 6.12) or bookworm (Linux 6.1)
# DRIVER   Docker's cgroup driver: systemd (default) or cgroupfs
# ACCEL    kvm, tcg, or empty: kvm where the processor's virtualization is to be had
# LIMIT    seconds until the machine is ended, 7200
# CPUS, MEMORY (MiB): 2, 3072
#
# run.sh finds the factor by which the machine is slow in JUDGE_SCALE.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

# shellcheck source-path=SCRIPTDIR source=../_base/apt.sh
. "$here/../_base/apt.sh"
die() { say "$@"; exit 125; }

need() {
    if debian_like && [ "$(id -u)" = 0 ]; then
        install_packages mmdebstrap debian-archive-keyring e2fsprogs qemu-system-x86 seabios
        return
    fi
    local command
    for command in mmdebstrap mke2fs qemu-system-x86_64 flock; do
        command -v "$command" >/dev/null ||
            die "$command is missing: install mmdebstrap, debian-archive-keyring, e2fsprogs, util-linux and qemu-system-x86 (seabios)"
    done
}

# A kvm without hardware behind it runs no unmodified kernel.
accelerator() {
    if [ -n "${ACCEL:-}" ]; then
        printf '%s\n' "$ACCEL"
    elif [ -w /dev/kvm ] && grep -qwE 'vmx|svm' /proc/cpuinfo; then
        printf 'kvm\n'
    else
        printf 'tcg\n'
    fi
}

pack() {
    local folder=$1 to=$2
    cp "$here/guest.sh" "$work/guest.sh"
    tar -C "$work" -cf "$to" guest.sh
    tar -C "$folder" -rf "$to" --transform='s,^\./,job/,' .
}

# The emulated processors share one time stamp counter; a kernel that doubts it
# (tsc=reliable forbids that) counts the CPU time of short runs by ticks, as 0.
boot() {
    local made=$1 accel=$2 scale=20
    [ "$accel" = tcg ] || scale=1
    # shellcheck disable=SC2054 # QEMU has commas in options
    local options=(-machine q35 -accel "$accel" -cpu max -smp "${CPUS:-2}" -m "${MEMORY:-3072}"
        -nodefaults -no-user-config -no-reboot -display none -monitor none
        -kernel "$made/vmlinuz" -initrd "$made/initrd"
        -append "root=/dev/vda rw console=ttyS0 panic=-1 audit=0 tsc=reliable modprobe.blacklist=kvm_amd,kvm_intel,powernow_k8 systemd.unified_cgroup_hierarchy=1 systemd.show_status=0 systemd.journald.forward_to_console=1 judge.driver=${DRIVER:-systemd} judge.scale=$scale"
        -drive "if=none,id=disk,file=$made/disk,format=raw,snapshot=on,cache=unsafe"
        -device virtio-blk-pci,drive=disk
        -drive "if=none,id=payload,file=$work/payload.tar,format=raw,readonly=on"
        -device virtio-blk-pci,drive=payload,serial=payload
        -device virtio-rng-pci
        -serial "file:$work/console"
        -device virtio-serial-pci
        -chardev stdio,id=output,signal=off -device virtserialport,chardev=output,name=judge.output
        -chardev "file,id=code,path=$work/code" -device virtserialport,chardev=code,name=judge.code)
    # At the end of its input QEMU would close the output too: this one has none.
    mkfifo "$work/silence"
    exec 3<>"$work/silence"
    # The snapshot grows in TMPDIR.
    TMPDIR=$work timeout --kill-after=10 "${LIMIT:-7200}" qemu-system-x86_64 "${options[@]}" <&3 &
    machine=$!
    local status=0
    wait "$machine" || status=$?
    machine=""
    [ "$status" != 124 ] || { say "time is up"; return 124; }
    [ "$status" = 0 ] || { say "QEMU ended with $status"; return 125; }
}

# shellcheck disable=SC2317 # a trap calls it
finish() {
    [ -z "$machine" ] || kill "$machine" 2>/dev/null || true
    rm -rf "$work"
}

[ $# = 1 ] || die "usage: ${0##*/} FOLDER"
[ -e "$1/run.sh" ] || die "$1 has no run.sh"
machine="" work=$(mktemp -d)
trap finish EXIT
trap 'exit 130' INT TERM HUP
need
made=$("$here/image.sh" "${SUITE:-trixie}") || die "there is no machine"
pack "$1" "$work/payload.tar"
accel=$(accelerator)
say "starting Debian ${SUITE:-trixie} ($accel)"
status=0
boot "$made" "$accel" || status=$?
console=${made%/*}/console-${SUITE:-trixie}-${DRIVER:-systemd}
cp "$work/console" "$console"
if [ ! -s "$work/code" ]; then
    tail -n 60 "$console" >&2
    [ "$status" != 0 ] || status=125
    say "the machine ended before its job; above is the end of $console"
    exit "$status"
fi
status=$(tr -dc 0-9 <"$work/code")
[ "$status" = 0 ] || say "the job failed; what kernel and Docker said is in $console"
exit "$status"
