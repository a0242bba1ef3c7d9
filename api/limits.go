package api

import (
	"cmp"
	"time"
)

func (l Limits) withDefaults() Limits {
	rate := func(r Rate, perMinute int) Rate {
		if r.Count <= 0 || r.Per <= 0 {
			return Rate{perMinute, time.Minute}
		}
		return r
	}
	l.Requests = rate(l.Requests, 6000)
	l.Writes = rate(l.Writes, 600)
	l.Submissions = rate(l.Submissions, 6000)
	l.Person = rate(l.Person, 60)
	l.Uploads = rate(l.Uploads, 120)
	l.Failures = rate(l.Failures, 30)
	l.Waiters = cmp.Or(l.Waiters, 10_000)
	l.WaitersPerToken = cmp.Or(l.WaitersPerToken, 1000)
	l.Streams = cmp.Or(l.Streams, 10_000)
	l.StreamsPerToken = cmp.Or(l.StreamsPerToken, 100)
	l.Body = cmp.Or(l.Body, 1<<20)
	l.Submission = cmp.Or(l.Submission, 8<<20)
	l.Batch = cmp.Or(l.Batch, 64<<20)
	l.Upload = cmp.Or(l.Upload, 2<<30)
	l.Wait = cmp.Or(l.Wait, time.Minute)
	l.Package = l.Package.withDefaults()
	return l
}

func (p PackageLimits) withDefaults() PackageLimits {
	p.CPU = cmp.Or(p.CPU, time.Minute)
	p.Memory = cmp.Or(p.Memory, 4<<30)
	p.Output = cmp.Or(p.Output, 256<<20)
	p.Code = cmp.Or(p.Code, 1<<20)
	p.Cases = cmp.Or(p.Cases, 1000)
	p.Judging = cmp.Or(p.Judging, 2*time.Hour)
	p.Helper = cmp.Or(p.Helper, 5*time.Minute)
	p.Unpacked = cmp.Or(p.Unpacked, 8<<30)
	return p
}
