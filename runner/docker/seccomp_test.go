package docker_test

import (
	"encoding/json"
	"testing"

	"judge/runner/docker"
)

// TestSeccompProfile reads the profile as Docker does and looks for what must
// and must not be in it.
func TestSeccompProfile(t *testing.T) {
	t.Parallel()
	text, err := docker.SeccompProfile()
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		DefaultAction string
		ArchMap       []struct {
			Architecture     string
			SubArchitectures []string
		}
		Syscalls []struct {
			Names  []string
			Action string
			Args   []json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	if p.DefaultAction != "SCMP_ACT_ERRNO" {
		t.Errorf("what is not named is %s", p.DefaultAction)
	}
	for _, arch := range p.ArchMap {
		if len(arch.SubArchitectures) > 0 {
			t.Errorf("%s brings %v", arch.Architecture, arch.SubArchitectures)
		}
	}
	free, some := make(map[string]bool), make(map[string]bool)
	for _, rule := range p.Syscalls {
		for _, name := range rule.Names {
			if rule.Action == "SCMP_ACT_ALLOW" && len(rule.Args) == 0 {
				if free[name] {
					t.Errorf("%s is named twice", name)
				}
				free[name] = true
			} else {
				some[name] = true
			}
		}
	}
	for _, name := range []string{"clone", "socket", "socketpair", "mknod", "mknodat", "personality"} {
		if free[name] || !some[name] {
			t.Errorf("%s must be allowed for some arguments only", name)
		}
	}
	for _, name := range []string{"clone3", "seccomp", "openat2", "execve", "close_range", "setresuid", "wait4", "ppoll", "recvmsg", "futex"} {
		if !free[name] {
			t.Errorf("%s is missing", name)
		}
	}
	for _, name := range []string{
		"unshare", "setns", "mount", "ptrace", "io_uring_setup", "userfaultfd", "bpf", "keyctl", "shmget", "mq_open",
		"inotify_init1", "memfd_secret", "fchownat", "setxattr", "open_by_handle_at", "perf_event_open", "sync",
	} {
		if free[name] || some[name] {
			t.Errorf("%s is allowed", name)
		}
	}
}
