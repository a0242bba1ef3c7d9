package main

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestMachine(t *testing.T) {
	const (
		clock = "sys/devices/system/clocksource/clocksource0/current_clocksource"
		smt   = "sys/devices/system/cpu/smt/active"
		ksm   = "sys/kernel/mm/ksm/run"
		thp   = "sys/kernel/mm/transparent_hugepage/enabled"
		gov   = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
	)
	tests := []struct {
		name  string
		files map[string]string
		warns []string
	}{
		{"nothing is known", nil, nil},
		{"good", map[string]string{clock: "tsc\n", smt: "0\n", ksm: "0\n", thp: "always [madvise] never\n", gov: "performance\n"}, nil},
		{"bad", map[string]string{clock: "acpi_pm\n", smt: "1\n", ksm: "1\n", thp: "[always] madvise never\n", gov: "powersave\n"}, []string{"clock", "frequency", "huge pages", "ksm", "smt"}},
		{"virtual", map[string]string{clock: "kvm-clock\n"}, nil},
		{"slow clock", map[string]string{clock: "hpet\n"}, []string{"clock"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range tt.files {
				write(t, filepath.Join(root, name), text)
			}
			var warns []string
			for _, f := range (machine{root}).examine() {
				if f.Status != isFine {
					warns = append(warns, f.Name)
				}
				if f.Status == isWarning && f.Remedy == "" {
					t.Errorf("%s: no remedy", f.Name)
				}
			}
			if slices.Sort(warns); !slices.Equal(warns, tt.warns) {
				t.Errorf("warnings %v, want %v", warns, tt.warns)
			}
		})
	}
}

func TestPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "")
	tests := []struct {
		name, path string
		want       statusName
	}{
		{"there", dir, isFine},
		{"not made yet", filepath.Join(dir, "a/b/c"), isFine},
		{"below a file", filepath.Join(file, "a"), isFault},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := examinePlace("state", tt.path, false); got.Status != tt.want {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestDoctorWithoutEngine(t *testing.T) {
	got := judgeIn(t, "", "", "doctor")
	if got.code != exitFailed {
		t.Errorf("exit code %d", got.code)
	}
	contains(t, "stdout", got.out, "fault    engine", "does not answer", "cores")
	contains(t, "lines", judgeIn(t, "", "", "doctor", "--json").out, `{"name":"engine","status":"fault","detail":"`)
}
