package grader

import (
	"context"
	"fmt"

	"judge/runner"
)

// worker runs cases on one slot, in boxes that it keeps from case to case.
type worker struct {
	*judging

	slot runner.Slot
	free func()     // unpins the goroutine
	box  runner.Box // of the submission; nil until the first case and after a failure
	jury map[*executable]runner.Box
}

// newWorker ties the calling goroutine to the slot's core; close must be called
// on the same one.
func newWorker(j *judging, slot runner.Slot) *worker {
	return &worker{judging: j, slot: slot, free: slot.Pin(), jury: map[*executable]runner.Box{}}
}

// close gives boxes and slot back. Closing again does nothing.
func (w *worker) close() {
	if w.slot == nil {
		return
	}
	for _, b := range w.boxes() {
		b.Release()
	}
	w.free()
	w.slot.Release()
	w.slot = nil
}

// discard destroys the boxes: one of them failed, or was stopped midway.
func (w *worker) discard() {
	for _, b := range w.boxes() {
		b.Discard()
	}
	w.box = nil
	clear(w.jury)
}

func (w *worker) boxes() []runner.Box {
	var all []runner.Box
	if w.box != nil {
		all = append(all, w.box)
	}
	for _, b := range w.jury {
		all = append(all, b)
	}
	return all
}

// ready sees to it that there is a box with the submission in it.
func (w *worker) ready(ctx context.Context) error {
	if w.box != nil {
		return nil
	}
	box, err := w.slot.Box(ctx, w.program.spec(runner.Run, w.Isolation))
	if err != nil {
		return fmt.Errorf("take box: %w", err)
	}
	w.box = box
	if err := w.program.load(ctx, box); err != nil {
		return fmt.Errorf("load program: %w", err)
	}
	return nil
}

// juryBox is the box of a jury program with the program in it.
func (w *worker) juryBox(ctx context.Context, exe *executable) (runner.Box, error) {
	if box := w.jury[exe]; box != nil {
		return box, nil
	}
	box, err := w.slot.Box(ctx, exe.spec(runner.Jury, w.Isolation))
	if err != nil {
		return nil, fmt.Errorf("take box: %w", err)
	}
	w.jury[exe] = box
	if err := exe.load(ctx, box); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	return box, nil
}

// leave empties a jury box for the next case; a worn one is given back.
func (w *worker) leave(ctx context.Context, exe *executable, worn bool) error {
	box := w.jury[exe]
	if worn {
		box.Release()
		delete(w.jury, exe)
		return nil
	}
	if err := box.Clear(ctx); err != nil {
		return fmt.Errorf("clear box: %w", err)
	}
	return nil
}
