#!/bin/bash
# Runs in the virtual machine: starts Docker, runs the job, tells its exit code.
set -u

ports=/dev/virtio-ports
job() {
    local word
    for word in $(</proc/cmdline); do
        case $word in
        judge.driver=*) driver=${word#*=} ;;
        judge.scale=*) export JUDGE_SCALE=${word#*=} ;;
        esac
    done
    mkdir -p /etc/docker
    printf '{"exec-opts": ["native.cgroupdriver=%s"]}\n' "$driver" >/etc/docker/daemon.json
    systemctl start docker || {
        journalctl --no-pager -n 60 -u docker
        return 125
    }
    export JUDGE_DRIVER=$driver HOME=/root
    read -r uptime _ </proc/uptime
    echo "Docker is up after $uptime s"
    cd /payload/job && bash ./run.sh
}

job </dev/null >"$ports/judge.output" 2>&1
echo $? >"$ports/judge.code"
