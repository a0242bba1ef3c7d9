package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// sendQueue keeps webhooks apart from judgements: neither waits for the other.
const sendQueue = "webhooks"

// sendJob says that a webhook has something to be sent, not what.
type sendJob struct {
	Webhook string `json:"webhook"`
}

// Kind names the kind in the table.
func (sendJob) Kind() string { return "webhook" }

// sends makes a client one that runs these jobs. It is an API's, whose role in
// the database owns no table: River's upkeep, which makes indexes anew, is left to
// workers. Where there are none, who looks for late deliveries makes up for what
// that upkeep would wake.
func (c *Config) sends(config *river.Config) error {
	if config.Workers == nil {
		config.Workers, config.Queues = river.NewWorkers(), map[string]river.QueueConfig{}
		config.LeaderElectionDisabled = true
	}
	config.Queues[sendQueue] = river.QueueConfig{MaxWorkers: c.Senders}
	err := river.AddWorkerSafely(config.Workers, river.WorkFunc(func(ctx context.Context, j *river.Job[sendJob]) error {
		return c.Send(ctx, j.Args.Webhook)
	}))
	if err != nil {
		return fmt.Errorf("make queue: %w", err)
	}
	return nil
}

// InsertSend inserts a job for each of some webhooks in a transaction: there is
// something to be sent, once it is committed, or at a time that is to come; zero:
// at once.
func (c *Client) InsertSend(ctx context.Context, tx pgx.Tx, at time.Time, webhooks ...string) error {
	many := make([]river.InsertManyParams, 0, len(webhooks))
	for _, id := range webhooks {
		many = append(many, river.InsertManyParams{Args: sendJob{id}, InsertOpts: &river.InsertOpts{Queue: sendQueue, ScheduledAt: at}})
	}
	if len(many) == 0 {
		return nil
	}
	if _, err := c.river.InsertManyFastTx(ctx, tx, many); err != nil {
		return fmt.Errorf("insert %d jobs of webhooks: %w", len(many), err)
	}
	return nil
}
