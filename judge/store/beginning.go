package store

import "context"

// Beginning is the position before all events that are kept.
func (q queries) Beginning(ctx context.Context) (string, error) {
	h, err := q.horizon(ctx)
	if err != nil {
		return "", err
	}
	return position{epoch: h.epoch}.String(), nil
}
