package api

import (
	"slices"
	"time"

	"judge/judge"
)

// rule is what one operation asks of who calls it.
type rule struct {
	roles    roles
	class    class
	body     func(*Limits) int64 // bytes of the body; nil: none is read
	unscoped bool                // only for tokens without a scope
}

type roles []judge.Role

var (
	public   roles // no token is asked for
	everyone = roles{judge.RoleAdmin, judge.RoleInstructor, judge.RoleSubmitter, judge.RoleViewer}
	sending  = roles{judge.RoleAdmin, judge.RoleInstructor, judge.RoleSubmitter}
	watching = roles{judge.RoleAdmin, judge.RoleInstructor, judge.RoleViewer}
	staff    = roles{judge.RoleAdmin, judge.RoleInstructor}
	admins   = roles{judge.RoleAdmin}
)

func (r roles) hold(role judge.Role) bool { return slices.Contains(r, role) }

// class says which rate limit counts a request.
type class int

const (
	free   class = iota // not counted
	read                // Limits.Requests
	write               // Limits.Writes
	submit              // counted by the handler, that knows for whom and how many
	upload              // Limits.Uploads
)

func small(l *Limits) int64      { return l.Body }
func submission(l *Limits) int64 { return l.Submission }
func batch(l *Limits) int64      { return l.Batch }
func uploaded(l *Limits) int64   { return l.Upload }

// access is the table of all operations. Whether a token may see the very
// problem or submission that a request names is asked by its handler (scope.go).
var access = map[string]rule{
	"healthz":     {roles: public},
	"readyz":      {roles: public},
	"openapi":     {roles: public},
	"openapi-3.0": {roles: public},
	"docs":        {roles: public},
	"metrics":     {roles: watching, unscoped: true},

	"whoami":       {roles: everyone, class: read},
	"list-tokens":  {roles: admins, class: read},
	"create-token": {roles: admins, class: write, body: small},
	"revoke-token": {roles: admins, class: write},
	"list-audit":   {roles: admins, class: read},

	"create-submission":  {roles: sending, class: submit, body: submission},
	"create-submissions": {roles: sending, class: submit, body: batch},
	"list-submissions":   {roles: everyone, class: read},
	"get-submission":     {roles: everyone, class: read},
	"get-source":         {roles: sending, class: read},
	"list-judgements":    {roles: everyone, class: read},
	"get-judgement":      {roles: everyone, class: read},
	"list-runs":          {roles: everyone, class: read},
	"get-run-output":     {roles: staff, class: read},
	"cancel-submission":  {roles: sending, class: write, body: small},
	"cancel-judgement":   {roles: sending, class: write, body: small},
	"review-judgement":   {roles: staff, class: write, body: small},
	"inspect-run":        {roles: staff, class: write, body: small},
	"get-inspection":     {roles: staff, class: read},

	"get-inspection-output": {roles: staff, class: read},

	"stream-submission": {roles: everyone, class: read},
	"stream-events":     {roles: everyone, class: read},

	// Public boards need no token: board.go looks at what there is.
	"get-board":          {roles: public},
	"get-board-problems": {roles: public},
	"stream-board":       {roles: public},

	"create-rejudging":       {roles: staff, class: write, body: small},
	"list-rejudgings":        {roles: staff, class: read},
	"get-rejudging":          {roles: staff, class: read},
	"list-rejudging-changes": {roles: staff, class: read},
	"get-rejudging-board":    {roles: staff, class: read},
	"apply-rejudging":        {roles: staff, class: write, body: small},
	"cancel-rejudging":       {roles: staff, class: write, body: small},
	"compare-judgements":     {roles: staff, class: read},

	"list-contests":         {roles: everyone, class: read},
	"create-contest":        {roles: staff, class: write, body: small},
	"get-contest":           {roles: everyone, class: read},
	"update-contest":        {roles: staff, class: write, body: small},
	"delete-contest":        {roles: staff, class: write},
	"list-contest-problems": {roles: everyone, class: read},
	"put-contest-problems":  {roles: staff, class: write, body: small},
	"list-contestants":      {roles: everyone, class: read},
	"put-contestants":       {roles: staff, class: write, body: batch},
	"get-contestant":        {roles: everyone, class: read},
	"put-contestant":        {roles: staff, class: write, body: small},
	"update-contestant":     {roles: staff, class: write, body: small},
	"delete-contestant":     {roles: staff, class: write},
	"start-contest":         {roles: staff, class: write, body: small},
	"pause-contest":         {roles: staff, class: write, body: small},
	"resume-contest":        {roles: staff, class: write, body: small},
	"extend-contest":        {roles: staff, class: write, body: small},
	"freeze-contest":        {roles: staff, class: write, body: small},
	"thaw-contest":          {roles: staff, class: write, body: small},
	"release-contest":       {roles: staff, class: write, body: small},

	"upload-problem":       {roles: staff, class: upload, body: uploaded},
	"list-problems":        {roles: everyone, class: read},
	"get-problem":          {roles: everyone, class: read},
	"update-problem":       {roles: staff, class: write, body: small},
	"list-versions":        {roles: staff, class: read},
	"get-version":          {roles: staff, class: read},
	"update-version":       {roles: staff, class: write, body: small},
	"get-verification":     {roles: staff, class: read},
	"verify-version":       {roles: staff, class: write, body: small},
	"stream-verification":  {roles: staff, class: read},
	"get-statement":        {roles: everyone, class: read},
	"get-statement-page":   {roles: everyone, class: read},
	"export-version":       {roles: staff, class: read},
	"list-attachments":     {roles: everyone, class: read},
	"get-attachment":       {roles: everyone, class: read},
	"list-samples":         {roles: everyone, class: read},
	"get-sample":           {roles: everyone, class: read},
	"get-problem-skeleton": {roles: everyone, class: read},
	"list-languages":       {roles: everyone, class: read},

	"export-submissions":    {roles: staff, class: read},
	"export-contest-csv":    {roles: staff, class: read},
	"export-contest-json":   {roles: staff, class: read},
	"export-standings-csv":  {roles: staff, class: read},
	"export-standings-json": {roles: staff, class: read},
	"export-sources":        {roles: staff, class: read},
	"import-teams":          {roles: staff, class: write, body: batch},
	"export-contest":        {roles: staff, class: read},
	"import-contest":        {roles: staff, class: upload, body: contestBytes, unscoped: true},

	"list-webhooks":   {roles: staff, class: read},
	"create-webhook":  {roles: staff, class: write, body: small},
	"get-webhook":     {roles: staff, class: read},
	"update-webhook":  {roles: staff, class: write, body: small},
	"delete-webhook":  {roles: staff, class: write},
	"test-webhook":    {roles: staff, class: write},
	"list-deliveries": {roles: staff, class: read},
	"get-delivery":    {roles: staff, class: read},
	"redeliver":       {roles: staff, class: write},

	"list-workers":   {roles: watching, class: read},
	"update-worker":  {roles: admins, class: write, body: small},
	"get-statistics": {roles: watching, class: read},
}

// How long reading a body and writing an answer may take. Who streams or waits
// asks for more (request.unhurried).
const (
	readTime  = 30 * time.Second
	writeTime = 60 * time.Second
)
