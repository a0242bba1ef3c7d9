package main

import (
	"errors"
	"net/http"
	"net/url"

	"judge/api"
)

type rejudgeApplyCmd struct {
	serverFlags

	ID     string `arg:"" name:"id" help:"The rejudging's id, as judge rejudge list shows it."`
	Reason string `placeholder:"TEXT" help:"Why, for the audit log."`
	Force  bool   `help:"Apply what can be: what is not judged yet, ended as JE or was judged otherwise meanwhile stays as it is."`
	Yes    bool   `short:"y" help:"Do it; else it is only shown what would change."`
	JSON   bool   `help:"One JSON object."`
}

// Help is shown by judge rejudge apply --help.
func (rejudgeApplyCmd) Help() string {
	return `All verdicts and boards change at once. What staff said of an old judgement stays with that, and counts no more. Old judgements are kept; a rejudging that is applied is not undone, but another one can be made.

Exit code 0: it is applied; 1: we or the server failed; 2: it cannot be applied, or --yes is missing.`
}

// Run applies a rejudging.
func (c *rejudgeApplyCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	if !c.Yes {
		r, err := cl.rejudging(a, c.ID)
		if err == nil && !c.JSON {
			err = a.tellRejudging(&r, false)
		}
		if err != nil {
			return err
		}
		return badInput{errors.New("nothing was changed; add --yes to apply it")}
	}
	return a.endRejudging(cl, c.ID, "apply", api.ApplyRequest{ReasonRequest: api.ReasonRequest{Reason: c.Reason}, Force: c.Force}, c.JSON)
}

type rejudgeCancelCmd struct {
	serverFlags

	ID     string `arg:"" name:"id" help:"The rejudging's id, as judge rejudge list shows it."`
	Reason string `placeholder:"TEXT" help:"Why, for the audit log."`
	JSON   bool   `help:"One JSON object."`
}

// Run cancels a rejudging.
func (c *rejudgeCancelCmd) Run(a *app) error {
	cl, err := c.client(a)
	if err != nil {
		return err
	}
	return a.endRejudging(cl, c.ID, "cancel", api.ReasonRequest{Reason: c.Reason}, c.JSON)
}

// endRejudging applies or cancels: both may be asked for again.
func (a *app) endRejudging(cl *client, id, how string, body any, asJSON bool) error {
	call, err := apiCall{method: http.MethodPost, path: "rejudgings/" + url.PathEscape(id) + "/" + how}.withJSON(body)
	if err != nil {
		return err
	}
	var r api.Rejudging
	if _, err := cl.do(a.ctx, call, &r); err != nil {
		return err
	}
	return a.tellRejudging(&r, asJSON)
}
