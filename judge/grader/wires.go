package grader

import (
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"judge/judge"
)

// wires join a submission and its interactor. Directly: two kernel pipes, and the
// judge sleeps. With a transcript: four, with the judge in between.
//
// Of the pipe to the submission the judge keeps a read end, and drains it once the
// submission has ended: the interactor neither dies of SIGPIPE nor blocks. Of the
// pipe to the interactor it keeps a read end until the interactor has ended; a
// submission that was accepted may then write on into nothing, any other one gets
// SIGPIPE. It keeps no write end, so that the end of file arrives, also where a
// program that lives closes its output.
//
// A flood is not counted: no byte of it is kept, and it ends at a time limit.
type wires struct {
	subIn, subOut, juryIn, juryOut *os.File // what the programs get

	ours  []*os.File // closed at the end
	wg    sync.WaitGroup
	relay *relay // nil: direct

	draining *os.File // read end of the pipe to the submission
	holding  *os.File // read end of the pipe to the interactor
	hangups  *hangups
	released chan struct{} // closed by release: the interactor has ended
	accepted bool          // set before
	gone     bool          // set before: the submission had closed its output
}

func newWires(transcript bool) (*wires, error) {
	w := &wires{released: make(chan struct{})}
	var err error
	if transcript {
		err = w.between()
	} else {
		err = w.direct()
	}
	if err != nil {
		w.close(false)
		return nil, fmt.Errorf("join submission and interactor: %w", err)
	}
	return w, nil
}

// pipe makes a pipe that both programs can open by name too: only who holds it can
// reach it.
func (w *wires) pipe() (r, wr *os.File, err error) {
	var p [2]int
	if err := syscall.Pipe2(p[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("make pipe: %w", err)
	}
	r, wr = os.NewFile(uintptr(p[0]), "pipe"), os.NewFile(uintptr(p[1]), "pipe")
	w.ours = append(w.ours, r, wr)
	if err := syscall.Fchmod(p[0], 0o666); err != nil {
		return nil, nil, fmt.Errorf("open pipe to programs: %w", err)
	}
	return r, wr, nil
}

// end opens one end of a pipe once more, not to block on: flags of an end that
// programs hold would be theirs too.
func (w *wires) end(f *os.File) (*os.File, error) {
	mine, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err == nil {
		w.ours = append(w.ours, mine)
	}
	return mine, err
}

func (w *wires) direct() (err error) {
	if w.juryIn, w.subOut, err = w.pipe(); err != nil {
		return err
	}
	if w.subIn, w.juryOut, err = w.pipe(); err != nil {
		return err
	}
	if w.draining, err = w.end(w.subIn); err != nil {
		return err
	}
	if w.holding, err = w.end(w.juryIn); err != nil {
		return err
	}
	w.hangups, err = watchHangups(w.holding, w.draining)
	return err
}

// shut closes ends of ours early; close skips them.
func shut(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

func (w *wires) subHanded() { shut(w.subIn, w.subOut) }

func (w *wires) juryHanded() { shut(w.juryIn, w.juryOut) }

// subEnded: from now on nobody reads what the interactor writes.
func (w *wires) subEnded() {
	w.subHanded() // where it came to nothing
	if w.relay == nil {
		w.drain(w.draining)
	}
}

// release: the interactor has ended. accepted: the submission may write on.
func (w *wires) release(accepted bool) {
	w.accepted, w.gone = accepted, hungUp(w.holding)
	close(w.released)
	w.juryHanded() // where it came to nothing
	switch {
	case w.relay != nil: // it sees to that
	case accepted:
		w.drain(w.holding)
	default:
		shut(w.holding)
	}
}

func (w *wires) drain(f *os.File) {
	w.wg.Go(func() { _, _ = io.Copy(io.Discard, struct{ io.Reader }{f}) })
}

// close ends all that is left: both programs have ended, or never began. It tells
// whether the interactor was the first; stopped is interactorFirst's.
func (w *wires) close(stopped bool) (interactorFirst bool) {
	shut(w.subIn, w.subOut, w.juryIn, w.juryOut)
	if w.hangups != nil {
		w.hangups.end()
		interactorFirst = w.hangups.interactorFirst(w.gone, stopped)
	}
	shut(w.ours...)
	w.wg.Wait()
	return interactorFirst
}

// tell fills in what was said.
func (w *wires) tell(said *judge.RunOutput, pass int) {
	if said != nil && w.relay != nil {
		w.relay.tell(said, pass)
	}
}
