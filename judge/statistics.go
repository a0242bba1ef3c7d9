package judge

import "time"

// Tally is how many there are, and of which kinds.
type Tally struct {
	Total     int
	States    map[State]int
	Verdicts  map[Verdict]int // of those that are judged, as reviewed
	Languages map[string]int
	Problems  map[string]int
}

// Statistics is what has been going on.
type Statistics struct {
	// Since is from when on was counted: later than was asked for where there is
	// more than can be counted at once.
	Since       time.Time
	Submissions Tally // by their newest judgement
	Judgements  Tally
	Load        Load
}
