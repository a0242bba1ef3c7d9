package agent_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"judge/runner/agent"
)

var sampleRun = agent.Run{
	Flags: agent.FlagStdin | agent.FlagKeep, CPU: 1e9, Wall: 2e9, Memory: 256 << 20, Processes: 64,
	Args: []string{"/box/p/a.out", "", "two words", "\xff\xfe"}, Env: []string{"PATH=/bin", "EMPTY="},
}

func TestRunThereAndBack(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]agent.Run{
		"usual":          sampleRun,
		"one argument":   {Args: []string{"x"}},
		"no environment": {Args: []string{"x", "y"}, CPU: math.MaxInt64},
		"empty strings":  {Args: []string{"", "", ""}, Env: []string{"", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			msg, err := agent.AppendRun(nil, &want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := agent.ParseRun(msg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&want, got); diff != "" {
				t.Errorf("a run changed on its way (-want +got):\n%s", diff)
			}
			argv, envp, err := agent.Vectors(msg)
			if err != nil {
				t.Fatal(err)
			}
			if !cmp.Equal(argv, want.Args) || !cmp.Equal(envp, want.Env, cmpopts.EquateEmpty()) {
				t.Errorf("execve gets %q and %q, want %q and %q", argv, envp, want.Args, want.Env)
			}
		})
	}
}

func TestRunRefused(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]agent.Run{
		"no arguments":       {},
		"NUL in an argument": {Args: []string{"a\x00b"}},
		"NUL in a variable":  {Args: []string{"a"}, Env: []string{"A=\x00"}},
		"too long":           {Args: []string{strings.Repeat("a", agent.MaxMessage)}},
		"65536 arguments":    {Args: make([]string, 1<<16)},
	} {
		if _, err := agent.AppendRun(nil, &run); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
	good, err := agent.AppendRun(nil, &sampleRun)
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, b ...byte) []byte {
		bad := bytes.Clone(good)
		copy(bad[at:], b)
		return bad
	}
	negative := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	for name, msg := range map[string][]byte{
		"nothing":             nil,
		"a verb alone":        good[:1],
		"no strings":          good[:37],
		"last string is open": good[:len(good)-1],
		"a string too many":   append(bytes.Clone(good), 0),
		"trailing bytes":      append(bytes.Clone(good), 'x'),
		"negative CPU":        change(5, negative...),
		"negative wall":       change(13, negative...),
		"negative memory":     change(21, negative...),
		"negative processes":  change(29, negative[:4]...),
		"no arguments":        change(33, 0, 0),
		"other counts":        change(33, 3, 0),
	} {
		if got, err := agent.ParseRun(msg); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

// FuzzParseRun: no message makes the agent read past its end, and what it
// accepts it has understood.
func FuzzParseRun(f *testing.F) {
	msg, err := agent.AppendRun(nil, &sampleRun)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(msg)
	f.Add(msg[:37])
	f.Add(append(bytes.Clone(msg), 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		run, err := agent.ParseRun(b)
		if err != nil {
			return
		}
		if _, _, err := agent.Vectors(b); err != nil {
			t.Fatalf("vectors of a good run: %v", err)
		}
		again, err := agent.AppendRun(nil, run)
		if err != nil {
			if len(b) > agent.MaxMessage {
				return
			}
			t.Fatal(err)
		}
		if b[0] = byte(agent.VerbRun); !bytes.Equal(b, again) {
			t.Errorf("%q is read as %+v", b, run)
		}
	})
}

var sampleReply = agent.Reply{
	Status: agent.Refused, Limit: agent.LimitWall, Exec: 13, Wait: 0x7f00, OOMKills: 2,
	CPU: 1, Wall: math.MaxInt64, Memory: 3, Base: 4, Left: 5, Message: "no \x00 text \xff",
}

func TestReplyThereAndBack(t *testing.T) {
	t.Parallel()
	for _, want := range []agent.Reply{{}, sampleReply, {Status: agent.Failed, Message: strings.Repeat("m", 4096)}} {
		got, err := agent.ParseReply(agent.AppendReply(nil, &want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a reply changed on its way (-want +got):\n%s", diff)
		}
	}
	long, err := agent.ParseReply(agent.AppendReply(nil, &agent.Reply{Message: strings.Repeat("m", 1<<20)}))
	if err != nil || len(long.Message) != 4096 {
		t.Errorf("a message of 1 MiB arrives as %d bytes (%v), want 4096", len(long.Message), err)
	}
}

func TestReplyRefused(t *testing.T) {
	t.Parallel()
	good := agent.AppendReply(nil, &agent.Reply{})
	for n := range good {
		if _, err := agent.ParseReply(good[:n]); err == nil {
			t.Errorf("the first %d bytes of a reply are a reply", n)
		}
	}
	for name, change := range map[string]func(b []byte){
		"status":   func(b []byte) { b[0] = byte(agent.Refused) + 1 },
		"limit":    func(b []byte) { b[1] = agent.LimitKilled + 1 },
		"CPU time": func(b []byte) { binary.LittleEndian.PutUint64(b[12:], 1<<63) },
		"left":     func(b []byte) { binary.LittleEndian.PutUint64(b[44:], math.MaxUint64) },
	} {
		b := bytes.Clone(good)
		change(b)
		if got, err := agent.ParseReply(b); err == nil {
			t.Errorf("%s out of range: read as %+v", name, got)
		}
	}
}

// FuzzParseReply reads what a box that fell to a program may answer.
func FuzzParseReply(f *testing.F) {
	f.Add(agent.AppendReply(nil, &agent.Reply{}))
	f.Add(agent.AppendReply(nil, &sampleReply))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := agent.ParseReply(b)
		if err != nil {
			return
		}
		if r.Status > agent.Refused || r.Limit > agent.LimitKilled || min(r.CPU, r.Wall, r.Memory, r.Base, r.Left) < 0 {
			t.Errorf("accepted %+v", r)
		}
		if again := agent.AppendReply(nil, &r); len(r.Message) <= 4096 && !bytes.Equal(again, b) {
			t.Errorf("%q is read as %+v", b, r)
		}
	})
}

func TestMessagesOfFiles(t *testing.T) {
	t.Parallel()
	op := agent.FileOp{Dir: 'w', Name: []byte("a\xff\x00/b\n"), Mode: 0o640, Max: 1 << 40, Patterns: []string{"*.class", "[a"}}
	msg, err := agent.AppendFileOp(nil, agent.VerbPut, &op)
	if err != nil {
		t.Fatal(err)
	}
	var got agent.FileOp
	if err := agent.ParseJSON(msg, &got); err != nil || msg[0] != byte(agent.VerbPut) {
		t.Fatalf("%q: %v", msg, err)
	}
	if diff := cmp.Diff(op, got); diff != "" {
		t.Errorf("an operation changed on its way (-want +got):\n%s", diff)
	}
	greeting := agent.Init{Cgroup: "c0ffee", Unified: true, UID: 1000, Env: []string{"A=b"}, Warmup: [][]string{{"x", "y"}, {"z"}}}
	if msg, err = agent.AppendInit(nil, &greeting); err != nil {
		t.Fatal(err)
	}
	var met agent.Init
	if err := agent.ParseJSON(msg, &met); err != nil || msg[0] != byte(agent.VerbInit) {
		t.Fatalf("%q: %v", msg, err)
	}
	if diff := cmp.Diff(greeting, met); diff != "" {
		t.Errorf("a greeting changed on its way (-want +got):\n%s", diff)
	}
	if _, err := agent.AppendFileOp(nil, agent.VerbGet, &agent.FileOp{Name: make([]byte, agent.MaxMessage)}); err == nil {
		t.Error("a name longer than a message is encoded")
	}
}

// FuzzParseJSON: any bytes behind a verb are an operation or an error.
func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(`p{"Dir":119,"Name":"YQ==","Mode":420,"Max":1,"Patterns":["*"]}`))
	f.Add([]byte("p"))
	f.Add([]byte(`i{"UID":1e99}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return // the socket's end, not a message
		}
		var op agent.FileOp
		if agent.ParseJSON(b, &op) != nil {
			return
		}
		msg, err := agent.AppendFileOp(nil, agent.VerbPut, &op)
		var again agent.FileOp
		if err == nil {
			err = agent.ParseJSON(msg, &again)
		}
		if err == nil && !cmp.Equal(op, again, cmpopts.EquateEmpty()) {
			t.Errorf("%+v becomes %+v", op, again)
		}
	})
}
