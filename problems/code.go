package problems

// Code is what a finding is about, in a word that stays the same from release to
// release. Programs go by it, people by Finding.Message.
type Code = string

// The codes; Codes tells what each is for.
const (
	BadName       Code = "bad-name"
	NameClash     Code = "name-clash"
	IgnoredName   Code = "ignored-name"
	LinkFile      Code = "link"
	SpecialFile   Code = "special-file"
	TooMany       Code = "too-many"
	TooLarge      Code = "too-large"
	BadZip        Code = "bad-zip"
	ZipBomb       Code = "zip-bomb"
	Encrypted     Code = "encrypted"
	Changed       Code = "changed"
	UnknownFormat Code = "unknown-format"

	NotText      Code = "not-text"
	BadYAML      Code = "bad-yaml"
	YAMLAlias    Code = "yaml-alias"
	YAMLNesting  Code = "yaml-nesting"
	DuplicateKey Code = "duplicate-key"
	UnknownKey   Code = "unknown-key"
	MissingKey   Code = "missing-key"
	UselessKey   Code = "useless-key"
	BadValue     Code = "bad-value"
	BadNumber    Code = "bad-number"
	BadRange     Code = "bad-range"
	BadType      Code = "bad-type"
	TimeLimits   Code = "time-limits-differ"

	MissingAnswer   Code = "missing-answer"
	MissingInput    Code = "missing-input"
	NoCases         Code = "no-cases"
	NoSecret        Code = "no-secret-cases"
	NoSamples       Code = "no-samples"
	EmptyGroup      Code = "empty-group"
	Misplaced       Code = "misplaced"
	UnusedFile      Code = "unused-file"
	ShownClash      Code = "shown-clash"
	UnknownGroup    Code = "unknown-group"
	DependencyCycle Code = "dependency-cycle"
	DependencyOrder Code = "dependency-order"
	BadDependency   Code = "bad-dependency"
	MissingScore    Code = "missing-max-score"
	ScoreSum        Code = "score-sum"

	MissingValidator  Code = "missing-validator"
	UnusedValidator   Code = "unused-validator"
	SeveralValidators Code = "several-validators"
	UnknownValidator  Code = "unknown-validator"
	BadFlags          Code = "bad-flags"
	MissingGrader     Code = "missing-grader"
	SeveralGraders    Code = "several-graders"
	UnusedGrader      Code = "unused-grader"
	MissingStatic     Code = "missing-static-validator"
	UnusedStatic      Code = "unused-static-validator"
	IncludeOverwrites Code = "include-overwrites"

	NoAccepted         Code = "no-accepted-submission"
	UnknownExpectation Code = "unknown-expectation"
	ExpectationClash   Code = "expectation-clash"
	UnmatchedPattern   Code = "unmatched-pattern"
	UnknownLanguage    Code = "unknown-language"

	NoConfig         Code = "no-problem-yaml"
	NoStatement      Code = "no-statement"
	NoLicense        Code = "no-license"
	TitleLanguages   Code = "title-languages"
	NoInputValidator Code = "no-input-validator"
	LineEnds         Code = "line-ends"
	OrderSurprise    Code = "order-surprise"
	MoreFindings     Code = "more-findings"
)

// Codes tells what each code is for, in one line.
func Codes() map[Code]string {
	return map[Code]string{
		BadName:       "a name that cannot be in a package or in a box: climbing, absolute, control characters, too long, too deep",
		NameClash:     "two names that are the same, or are on some systems: twice, upper and lower case, file and folder",
		IgnoredName:   "a name that the format leaves out, on what looks like a part of the package",
		LinkFile:      "a symbolic link",
		SpecialFile:   "a device, a pipe or a socket",
		TooMany:       "more files, groups, patterns or programs than the ceiling",
		TooLarge:      "more bytes than the ceiling: of a file, of all files, of programs, of a configuration file",
		BadZip:        "a zip that is damaged, cut off or made by hand to deceive",
		ZipBomb:       "a zip that unpacks to far more than it holds",
		Encrypted:     "a zip with a password",
		Changed:       "a file that changed while the package was read",
		UnknownFormat: "a format or a version of one that is not read here",

		NotText:      "bytes that are not UTF-8, or control characters, where there should be text",
		BadYAML:      "a file that is not one yaml document of the right shape",
		YAMLAlias:    "a yaml alias",
		YAMLNesting:  "yaml that is nested too deep",
		DuplicateKey: "a key that is there twice",
		UnknownKey:   "a key that the format does not know",
		MissingKey:   "a key that the format requires",
		UselessKey:   "a key that has no effect here, or may not be here",
		BadValue:     "a value that the key does not take",
		BadNumber:    "a number that is none, is out of its bounds or above the ceiling",
		BadRange:     "a range whose ends are not numbers or the wrong way round",
		BadType:      "problem types that exclude each other, or what a problem of this type cannot have",
		TimeLimits:   "time limits that differ from place to place",

		MissingAnswer:   "an input without an answer",
		MissingInput:    "a file of a test case that has no input",
		NoCases:         "no test cases at all",
		NoSecret:        "no secret test cases",
		NoSamples:       "no samples",
		EmptyGroup:      "a test group without cases",
		Misplaced:       "a file or a folder where the format has none of its kind",
		UnusedFile:      "a file that nothing reads",
		ShownClash:      "files that say in two ways what contestants see of a case",
		UnknownGroup:    "a name of a test group that is not there",
		DependencyCycle: "test groups that require each other in a circle",
		DependencyOrder: "a test group that requires one that comes after it",
		BadDependency:   "a required test group that has a score instead of passing",
		MissingScore:    "a test group whose max_score must be given",
		ScoreSum:        "scores that cannot add up to what the problem gives",

		MissingValidator:  "an output validator that is declared or needed and is not there",
		UnusedValidator:   "an output validator that nothing declares",
		SeveralValidators: "more output validators than the problem can have",
		UnknownValidator:  "flags for a validator that is not there",
		BadFlags:          "flags that the default validator or grader does not know",
		MissingGrader:     "a custom grader that is declared and is not there",
		SeveralGraders:    "more than one custom grader",
		UnusedGrader:      "a custom grader that nothing declares",
		MissingStatic:     "a static validation without a static validator",
		UnusedStatic:      "a static validator that no group uses",
		IncludeOverwrites: "an included file that overwrites one of a jury submission",

		NoAccepted:         "no accepted jury submission",
		UnknownExpectation: "a jury submission of which nothing is expected, or a verdict that is none",
		ExpectationClash:   "expectations of one submission that exclude each other or say different things",
		UnmatchedPattern:   "a pattern or a path that matches nothing",
		UnknownLanguage:    "a jury submission in no language that can be told by its names",

		NoConfig:         "no problem.yaml",
		NoStatement:      "no statement",
		NoLicense:        "no license",
		TitleLanguages:   "titles in other languages than the statements",
		NoInputValidator: "no input validator",
		LineEnds:         "test data with CR LF, or without a newline at the end",
		OrderSurprise:    "cases in an order that their numbers do not suggest",
		MoreFindings:     "there are more findings than are listed",
	}
}
