package grader

import (
	"os"
	"sync"
	"syscall"
	"time"

	"judge/judge"
)

// relay writes down what goes through it.
type relay struct {
	start time.Time

	mu    sync.Mutex
	lines []judge.Utterance
	size  int
	sizes [2]int64 // bytes of interactor and submission
	full  bool
}

// between joins the programs through the judge.
func (w *wires) between() error {
	fromSub, toJury, err := w.cross(&w.juryIn, &w.subOut)
	if err != nil {
		return err
	}
	fromJury, toSub, err := w.cross(&w.subIn, &w.juryOut)
	if err != nil {
		return err
	}
	if w.hangups, err = watchHangups(fromSub, fromJury); err != nil {
		return err
	}
	w.holding, w.relay = fromSub, &relay{start: time.Now()}
	w.wg.Go(func() { w.passOn(fromSub, toJury, true) })
	w.wg.Go(func() { w.passOn(fromJury, toSub, false) })
	return nil
}

// cross makes two pipes: what is written to from comes out of our read end, what
// is written to our write end comes out of to.
func (w *wires) cross(to, from **os.File) (r, wr *os.File, err error) {
	if r, *from, err = w.pipe(); err != nil {
		return nil, nil, err
	}
	if *to, wr, err = w.pipe(); err != nil {
		return nil, nil, err
	}
	if r, err = w.mine(r); err != nil {
		return nil, nil, err
	}
	wr, err = w.mine(wr)
	return r, wr, err
}

// mine makes an end that no program gets one that the poller waits on.
func (w *wires) mine(f *os.File) (*os.File, error) {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	shut(f)
	if err := syscall.SetNonblock(fd, true); err != nil {
		_ = syscall.Close(fd)
		return nil, err
	}
	mine := os.NewFile(uintptr(fd), "pipe")
	w.ours = append(w.ours, mine)
	return mine, nil
}

// passOn copies one direction until its end.
func (w *wires) passOn(from, to *os.File, submission bool) {
	buf := make([]byte, 64<<10)
	broken := false
	for {
		n, err := from.Read(buf)
		if n > 0 {
			w.relay.add(buf[:n], submission)
			if !broken {
				_, werr := to.Write(buf[:n])
				broken = werr != nil
			}
		}
		if broken && submission {
			if <-w.released; !w.accepted {
				shut(from)
				return
			}
		}
		if err != nil {
			break
		}
	}
	shut(to)
}

// add writes down what one side said; what it said before the other answered is
// one entry.
func (r *relay) add(text []byte, submission bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	side := 0
	if submission {
		side = 1
	}
	r.sizes[side] += int64(len(text))
	if r.full {
		return
	}
	cut := len(text) > judge.KeptTranscript-r.size
	text = text[:min(len(text), judge.KeptTranscript-r.size)]
	r.size += len(text)
	last := len(r.lines) - 1
	if last < 0 || r.lines[last].Submission != submission {
		r.lines = append(r.lines, judge.Utterance{Submission: submission, At: time.Since(r.start)})
		r.size += utteranceCost
		last++
	}
	r.lines[last].Text = append(r.lines[last].Text, text...)
	if cut || r.size >= judge.KeptTranscript {
		r.lines[last].Cut, r.full = true, true
	}
}

// utteranceCost is what an entry takes beside its text, in bytes: turns of one byte
// must not make a transcript of millions.
const utteranceCost = 32

// tell gives the transcript away, and the submission's side of it as its output.
func (r *relay) tell(said *judge.RunOutput, pass int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	said.Stdout, said.StdoutSize = nil, r.sizes[1]
	for _, u := range r.lines {
		u.Pass = pass
		said.Transcript = append(said.Transcript, u)
		if u.Submission {
			room := judge.KeptOutput - len(said.Stdout)
			said.Stdout = append(said.Stdout, u.Text[:min(len(u.Text), room)]...)
		}
	}
}
