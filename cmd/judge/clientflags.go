package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"syscall"
)

const (
	defaultURL = "http://127.0.0.1:8080"
	demoEnv    = ".demo.env" // what make demo leaves for the commands after it
)

// serverFlags say which server a client command speaks to, and as whom.
type serverFlags struct {
	URL   string `name:"url" placeholder:"URL" help:"The server; else that of .demo.env here, else http://127.0.0.1:8080."`
	Token string `placeholder:"SECRET" help:"The token; better as JUDGE_TOKEN, for others on this machine can read command lines. Else that of .demo.env."`
}

// client is a client of the server that the flags mean.
func (f serverFlags) client(a *app) (*client, error) {
	f, err := f.orDemo(demoEnv)
	if err != nil {
		return nil, badInput{err}
	}
	u, err := url.Parse(f.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return nil, badInput{fmt.Errorf("--url %q: write http://HOST:PORT or https://HOST", f.URL)}
	}
	return newClient(u, f.Token, func(format string, args ...any) {
		if a.Verbose {
			a.notef("judge: "+format+"\n", args...)
		}
	}), nil
}

// orDemo fills in what the flags do not say. A token goes only to the server
// that it came with: a file that lies about must not be able to ask for the
// token of somebody who gave one, nor to give one away to another server.
func (f serverFlags) orDemo(path string) (serverFlags, error) {
	if f.Token == "" {
		demo, err := readDemo(path)
		if err != nil {
			return f, err
		}
		if demo.URL != "" && (f.URL == "" || f.URL == demo.URL) {
			return demo, nil
		}
	}
	if f.URL == "" {
		f.URL = defaultURL
	}
	return f, nil
}

// readDemo reads JUDGE_URL and JUDGE_TOKEN. No file is no error; one of another
// user is not believed.
func readDemo(path string) (f serverFlags, err error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ELOOP) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return f, fmt.Errorf("read %s: %w", path, err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || !info.Mode().IsRegular() || int(st.Uid) != os.Getuid() {
		return f, nil
	}
	return parseDemo(path, io.LimitReader(file, maxShown))
}

func parseDemo(path string, r io.Reader) (f serverFlags, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		key, value, ok := strings.Cut(line, "=")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case ok && key == "JUDGE_URL":
			f.URL = value
		case ok && key == "JUDGE_TOKEN":
			f.Token = value
		default:
			return f, fmt.Errorf("%s:%d: write JUDGE_URL=… or JUDGE_TOKEN=…, or remove the file; make demo makes it anew", path, n)
		}
	}
	return f, lines.Err()
}
