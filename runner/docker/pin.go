package docker

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Pin ties the calling goroutine to its thread, and the thread to the slot's
// core, until unpin is called on the same goroutine.
func (sl *slot) Pin() (unpin func()) {
	runtime.LockOSThread()
	var before, one unix.CPUSet
	if unix.SchedGetaffinity(0, &before) != nil {
		return runtime.UnlockOSThread
	}
	one.Set(sl.cpu)
	if unix.SchedSetaffinity(0, &one) != nil { // the core went offline: slower, not wrong
		return runtime.UnlockOSThread
	}
	return func() {
		if unix.SchedSetaffinity(0, &before) == nil {
			runtime.UnlockOSThread()
		} // else the thread stays locked, and ends with its goroutine
	}
}
