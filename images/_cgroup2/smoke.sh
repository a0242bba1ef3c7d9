#!/bin/bash
# Says what the virtual machine offers, and fails where it is not the machine
# that was asked for: a suite that passes on another one proves nothing.
set -u
failures=0

expect() { # what wanted got
    if [ "$2" = "$3" ]; then
        printf '%-44s %s\n' "$1" "$3"
    else
        printf '%-44s %s, but wanted: %s\n' "$1" "$3" "$2"
        failures=$((failures + 1))
    fi
}

yes() { if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi; }

# A fork into the cgroup whose folder is $1, by clone3 (435): prints where the
# child says it is.
clone_into() {
    perl -e '
        open(my $dir, "<", $ARGV[0]) or sysopen($dir, $ARGV[0], 0200000) or die $!;
        my $args = pack("Q11", 0x200000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, fileno $dir);
        my $pid = syscall(435, $args, 88);
        die "clone3: $!\n" if $pid < 0;
        if ($pid == 0) { open(my $f, "<", "/proc/self/cgroup"); print <$f>; close STDOUT; syscall(231, 0) }
        waitpid $pid, 0; exit $? >> 8' "$1"
}

peak_reset() {
    # shellcheck disable=SC2317 # yes calls it
    { echo 0 >&3; } 3<>"$1/memory.peak"
}

# A container in a slice (a folder, with cgroupfs) that was made beforehand,
# with its own cgroup mounted into it as boxes have it.
container() {
    local parent where options
    case $JUDGE_DRIVER in
    systemd)
        parent=judge-smoke.slice where=/sys/fs/cgroup/judge.slice/judge-smoke.slice
        # What systemd has not been told it sets to no limit.
        mkdir -p "/run/systemd/system/$parent.d"
        printf '[Slice]\nMemoryMax=100M\n' >"/run/systemd/system/$parent.d/wall.conf"
        ;;
    *) parent=/judge/smoke where=/sys/fs/cgroup/judge/smoke ;;
    esac
    mkdir -p "$where"
    echo '+memory +pids +cpu +cpuset' >"${where%/*}/cgroup.subtree_control"
    echo 100M >"$where/memory.max"
    options=(--rm --network none --cap-drop ALL --read-only --cgroup-parent "$parent"
        --memory 64m -v "$where:/judge")
    # shellcheck disable=SC2016 # the box expands it
    docker run "${options[@]}" minimal /bin/busybox sh -c '
        cat /proc/self/cgroup
        own=/judge/$(/bin/busybox ls /judge | /bin/busybox grep -E "docker-|^[0-9a-f]{64}")
        /bin/busybox ls -d "$own"
        mkdir "$own/agent" "$own/run" && echo $$ >"$own/agent/cgroup.procs" && echo moved
        echo "+memory +pids +cpu" >"$own/cgroup.subtree_control" && echo delegated
        echo 4194304 >"$own/run/memory.max" && echo limited
        echo 200000000 >"$own/memory.max" || echo cannot raise its own' 2>&1 |
        sed 's/^/    /'
    expect 'the wall after that' 104857600 "$(cat "$where/memory.max")"
}

import_minimal() {
    local root
    root=$(mktemp -d)
    mkdir -p "$root"/{bin,tmp,proc,sys,dev,etc}
    cp /bin/busybox "$root/bin/busybox"
    for name in sh ls cat mkdir grep; do ln -s busybox "$root/bin/$name"; done
    tar -C "$root" -c . | docker import - minimal >/dev/null
    rm -r "$root"
}

. /etc/os-release
echo "$PRETTY_NAME, Linux $(uname -r), $(nproc) CPUs, $(awk '/MemTotal/ {print $2}' /proc/meminfo) KiB, $(systemctl --version | head -n 1)"
docker version --format 'Docker {{.Server.Version}}, API {{.Server.APIVersion}}'
docker info 2>/dev/null | grep -iE 'cgroup|storage driver|runtime|kernel|seccomp|apparmor|warning' || true
grep cgroup /proc/self/mountinfo
cat /sys/fs/cgroup/cgroup.controllers

expect 'cgroup version' 2 "$(docker info --format '{{.CgroupVersion}}')"
expect 'cgroup driver' "$JUDGE_DRIVER" "$(docker info --format '{{.CgroupDriver}}')"
expect 'nsdelegate' yes "$(yes grep -q 'cgroup2.*nsdelegate' /proc/self/mountinfo)"
mkdir /sys/fs/cgroup/smoke
echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
expect 'cgroup.kill' yes "$(yes test -w /sys/fs/cgroup/smoke/cgroup.kill)"
expect 'memory.peak' yes "$(yes test -r /sys/fs/cgroup/smoke/memory.peak)"
expect 'memory.swap.max' yes "$(yes test -e /sys/fs/cgroup/smoke/memory.swap.max)"
expect 'clone3 with CLONE_INTO_CGROUP' 0::/smoke "$(clone_into /sys/fs/cgroup/smoke 2>&1)"
# The runner has a way for each.
resettable=no
[ "$(printf '%s\n' 6.12 "$(uname -r)" | sort -V | head -n 1)" != 6.12 ] || resettable=yes
expect 'memory.peak can be reset (from 6.12 on)' "$resettable" "$(yes peak_reset /sys/fs/cgroup/smoke)"
rmdir /sys/fs/cgroup/smoke
import_minimal
container
exit $((failures > 0))
