package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"judge/api"
	"judge/judge"
	"judge/judge/queue"
	"judge/judge/webhook"
)

const (
	// senders is how many requests to endpoints an API makes at once: most of the
	// time they wait.
	senders = 128
	// sendersStop is what requests to endpoints get to end when the API ends.
	sendersStop = 10 * time.Second
	// lateAfter is when what is due and was not sent is sent for once more.
	lateAfter = 3 * time.Second
)

// webhookFlags are those of whatever sends webhooks.
type webhookFlags struct {
	WebhookAllow []string `placeholder:"CIDR" help:"Networks that webhooks may reach, also without TLS, though they are not of the internet, as 10.0.0.0/8; else none."`
	SecretKey    string   `placeholder:"HEX" help:"The key that secrets of webhooks are sealed with, 64 hexadecimal digits, the same for all APIs of a database; better as JUDGE_SECRET_KEY. Else that of DATA/secrets/key, which is made."`
}

// endpoints is what the flags say of webhooks; its key is nil where none is given.
func (f *webhookFlags) endpoints() (e webhook.Endpoints, err error) {
	if e.Allow, err = prefixes("webhook-allow", f.WebhookAllow); err != nil {
		return e, err
	}
	if f.SecretKey != "" {
		if e.Key, err = webhook.ParseKey(f.SecretKey); err != nil {
			return e, badInput{fmt.Errorf("--secret-key: %w", err)}
		}
	}
	return e, nil
}

// prefixes reads networks, or addresses, which are networks of one.
func prefixes(flag string, texts []string) (out []netip.Prefix, err error) {
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if addr, aerr := netip.ParseAddr(text); err != nil && aerr == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, badInput{fmt.Errorf("--%s %q: write an address, or a network as 10.0.0.0/8", flag, text)}
		}
		out = append(out, prefix)
	}
	return out, nil
}

// secretsDir is where the API keeps its key. It is not in backups, as it opens
// what they have.
func (a *app) secretsDir() string { return filepath.Join(a.Data, "secrets") }

// secretKey reads the key of this data folder, and makes one where there is none.
func (a *app) secretKey() (*webhook.Key, error) {
	dir := a.secretsDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, badInput{fmt.Errorf("make folder of the secret key: %w", err)}
	}
	path := filepath.Join(dir, "key")
	text, err := readSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeSecret(dir, path, webhook.NewKeyText()+"\n"); err != nil {
			return nil, badInput{fmt.Errorf("make secret key: %w", err)}
		}
		text, err = readSecret(path) // another process may have been first
	}
	if err != nil {
		return nil, badInput{fmt.Errorf("read secret key: %w", err)}
	}
	key, err := webhook.ParseKey(text)
	if err != nil {
		return nil, badInput{fmt.Errorf("read secret key %s: %w", path, err)}
	}
	return key, nil
}

// readSecret reads a file that only its owner may read.
func readSecret(path string) (text string, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s is not a file that only its owner can read: chmod 600 it", path)
	}
	b := make([]byte, 1024)
	n, err := f.Read(b)
	return string(b[:n]), err
}

// makeSecret writes a file whole or not at all, and leaves one alone that is there.
func makeSecret(dir, path, text string) (err error) {
	f, err := os.CreateTemp(dir, ".key-") // mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// webhookRecords are records as judge/webhook knows them.
type webhookRecords struct{ records }

// FinishTry is store.Tx's, and the job of the next try.
func (r webhookRecords) FinishTry(ctx context.Context, o *judge.DeliveryOutcome) error {
	return r.tx(ctx, func(tx recordsTx) error {
		if err := tx.FinishTry(ctx, o); err != nil || o.State != judge.DeliveryWaiting {
			return err
		}
		return tx.queue.InsertSend(ctx, tx.Pgx(), o.NextAt, o.WebhookID)
	})
}

// startSenders sends what webhooks are due, until stop is called.
func startSenders(ctx context.Context, r records, server *api.Server, e webhook.Endpoints, log *slog.Logger) (stop func(), err error) {
	deliverer := webhook.New(webhook.Config{
		Records: webhookRecords{r}, Body: server.WebhookBody, Key: e.Key, Guard: e.Guard, Agent: "judge/" + thisBuild().Version, Log: log,
	})
	q, err := queue.New(queue.Config{Pool: r.Pool(), Send: deliverer.Deliver, Senders: senders, Log: log})
	if err != nil {
		return nil, err
	}
	if err := q.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	return func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendersStop)
		defer cancel()
		if err := q.Stop(end); err != nil {
			log.WarnContext(ctx, "sending webhooks did not end in good order; what is due is sent by others", "error", err)
		}
	}, nil
}

// wakeSenders gives webhooks jobs that have been due for longer than they should,
// as after a kill, or in a database that was restored; and ends those of tokens
// that have ended.
func (p choreParts) wakeSenders(ctx context.Context, dry bool) (n int, err error) {
	err = p.change(ctx, dry, func(tx recordsTx) error {
		ended, err := tx.EndWebhooks(ctx)
		if err != nil {
			return err
		}
		late, err := tx.DueWebhooks(ctx, lateAfter)
		n = ended + len(late)
		if err != nil {
			return err
		}
		return tx.queue.InsertSend(ctx, tx.Pgx(), time.Time{}, late...)
	})
	return n, err
}

func (p choreParts) pruneDeliveries(ctx context.Context, dry bool) (int, error) {
	return p.prune(ctx, p.KeepDeliveries, dry, p.records.PruneDeliveries)
}
