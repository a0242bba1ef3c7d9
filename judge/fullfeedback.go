package judge

// Open names what submitters are shown of g as samples are, though it is none:
// cases with full feedback, and groups in which all else has it too. It is nil
// where there is nothing of the kind. A group's setting is of its own cases:
// readers of packages hand it down where a format does.
func (g *TestGroup) Open() map[string]bool {
	var all map[string]bool
	var walk func(g *TestGroup) bool
	walk = func(g *TestGroup) bool {
		whole := g.FullFeedback || len(g.Cases)+len(g.Groups) > 0
		add := func(name string, open bool) {
			if whole = whole && open; !open {
				return
			}
			if all == nil {
				all = map[string]bool{}
			}
			all[name] = true
		}
		for i := range g.Cases {
			c := &g.Cases[i]
			add(c.Name, !c.Sample && (c.FullFeedback || g.FullFeedback))
		}
		for i := range g.Groups {
			add(g.Groups[i].Name, walk(&g.Groups[i]))
		}
		return whole
	}
	walk(g)
	return all
}
