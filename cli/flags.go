package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"

	"nl2sql/assets"
	"nl2sql/cli/settings"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// newParser reads command lines into c. Help lists a command's own flags first, then those that every command has, then
// those of the model and of the database; numbers and times are checked by the tag range of their flag.
func newParser(c *commands, options ...kong.Option) *kong.Kong {
	words := answer.Words()
	options = append(options, kong.Name("nl2sql"), kong.Vars{"agents": words["agents"]},
		kong.Description("Turns a question into one safe MySQL SELECT, runs it and shows the rows. Everything runs "+
			"on this machine, unless --model or --db names another."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.TypeMapper(reflect.TypeFor[time.Duration](),
			bounded("time with its unit, such as 90s or 5m", readDuration)))
	for _, kind := range []reflect.Kind{reflect.Int, reflect.Uint32, reflect.Uint64} {
		options = append(options, kong.KindMapper(kind, bounded("whole number", readWhole)))
	}
	for _, kind := range []reflect.Kind{reflect.Float32, reflect.Float64} {
		options = append(options, kong.KindMapper(kind, bounded("number", readNumber)))
	}
	p := kong.Must(c, options...)
	in := []string{"{db}", dbHelp, "{grids}", strings.Join(assets.Grids(), ", "),
		"{votes}", strconv.Itoa(answer.InProcessVotes)}
	for name, text := range words {
		in = append(in, "{"+name+"}", text)
	}
	help := strings.NewReplacer(in...)
	// as kong's variables they would be looked for in every flag, a third of a start; none fails
	_ = kong.Visit(p.Model, func(v kong.Visitable, next kong.Next) error {
		if value, ok := v.(*kong.Value); ok {
			value.Help = help.Replace(value.Help)
		}
		return next(nil)
	})
	shortenHelp(p.Model)
	p.Model.HelpFlag.Group = p.Model.Flags[1].Group // that of --verbose
	return p
}

// often are the flags that people use of commands that have many: help shows these, and --help-all every one.
var often = map[string]string{
	"ask":    "model db notes format explain chart dry-run file out log",
	"chat":   "model db notes format explain chart pairs profile",
	"serve":  "model db notes listen host token-file parallel profile",
	"eval":   "model db notes items databases limit out agent votes parallel",
	"grid":   "model db items limit out parallel",
	"verify": "model db items databases notes",
}

// shortenHelp hides the other flags of these commands. They are read all the same.
func shortenHelp(app *kong.Application) {
	for _, node := range app.Children {
		for _, f := range node.Flags {
			if names := often[node.Name]; names != "" {
				f.Hidden = f.Hidden || !slices.Contains(strings.Fields(names), f.Name)
			}
		}
	}
}

// allFlag is --help-all.
type allFlag bool

// BeforeReset prints the help with every flag, and ends.
func (allFlag) BeforeReset(app *kong.Kong, ctx *kong.Context) error {
	wholeHelp(app.Model)
	if err := ctx.PrintUsage(false); err != nil {
		return err
	}
	app.Exit(0)
	return nil
}

// wholeHelp shows the flags that shortenHelp hides. Where not every agent takes one, its help begins with who does.
func wholeHelp(app *kong.Application) {
	for _, node := range app.Children {
		for _, f := range node.Flags {
			if often[node.Name] != "" {
				f.Hidden = false
			}
			answers := slices.Contains([]string{"ask", "chat", "eval", "serve"}, node.Name)
			if by := answer.TakenBy(f.Name); by != "" && answers {
				if 'A' > f.Help[1] || f.Help[1] > 'Z' { // no name in capitals begins it
					f.Help = strings.ToLower(f.Help[:1]) + f.Help[1:]
				}
				f.Help = "Of " + by + ": " + f.Help
			}
		}
	}
}

// ProfileFlag is of commands whose flags people set once, in the settings file. Those that score have profiles of
// scores by this name: for them NL2SQL_PROFILE names one of settings.
type ProfileFlag struct {
	Profile string `help:"Profile of the settings file, nl2sql.yaml, whose values come before the others there; $NL2SQL_PROFILE too." placeholder:"NAME"`
}

// ownProfiles are commands whose --profile is one of scores.
var ownProfiles = []string{"score", "rescore", "report", "reguard", "suite", "confidence"}

// set is what the settings file says, and which of it was taken.
type set struct {
	settings.File
	bundled map[string]string         // what the bundle sets that the program is in, by flag; it outranks the file
	taken   map[string]settings.Value // by flag
}

// read reads the settings file with the profile that the command line or the environment names. What is wrong with it
// is told once the command line is found to be right: help needs no settings.
func (s *set) read(app *kong.Application, args []string) error {
	path, err := settings.Path()
	if err != nil {
		return nil // nobody's: neither HOME nor XDG_CONFIG_HOME
	}
	named := []string{os.Getenv("NL2SQL_PROFILE")}
	if !slices.Contains(ownProfiles, args[0]) {
		named = append(named, typed(args, "--profile")...)
	}
	known := map[string][]*kong.Flag{}
	for _, command := range app.Leaves(true) {
		for _, f := range slices.Concat(command.AllFlags(true)...) {
			if !slices.Contains(notSet, f.Name) {
				known[f.Name] = append(known[f.Name], f)
			}
		}
	}
	s.File, err = settings.Read(path, named[len(named)-1], slices.Sorted(maps.Keys(known)))
	for _, name := range s.Flags() {
		v, _ := s.Get(name)
		if err == nil && !slices.ContainsFunc(known[name], func(f *kong.Flag) bool { return takes(f, v) }) {
			err = fmt.Errorf("%s: %s: %s is not possible: give one of %s", s.Where(v), name, v.Text,
				strings.Join(known[name][0].EnumSlice(), ", "))
		}
	}
	return err
}

// notSet are flags that the settings file cannot set.
var notSet = []string{"help", "help-all", "profile"}

// takes says that a value is none of those that a flag has no name for; what else is wrong, reading it tells.
func takes(f *kong.Flag, v settings.Value) bool {
	return f.Enum == "" || slices.Contains(f.EnumSlice(), v.Text)
}

// resolver gives flags the values of the settings file, where neither the command line nor the environment has one. A
// value is for all commands that take it.
func resolver(s *set) kong.Resolver {
	return kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
		v, is := s.Get(f.Name)
		if text, bundled := s.bundled[f.Name]; bundled {
			v, is = settings.Value{Text: text}, true
		}
		if !is || slices.Contains(notSet, f.Name) || inEnvironment(f) != "" || !takes(f, v) {
			return nil, nil
		}
		s.taken[f.Name] = v
		return v.Text, nil
	})
}

// inEnvironment is the variable that says what a flag is, or "". An empty one says nothing.
func inEnvironment(f *kong.Flag) string {
	for _, name := range f.Envs {
		if os.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// blame adds to an error about a flag where its value stands, if that is the settings file.
func (s *set) blame(err error) error {
	for _, flag := range flagNamed.FindAllStringSubmatch(err.Error(), -1) {
		if v, is := s.taken[flag[1]]; is {
			return fmt.Errorf("%w (%s)", err, s.where(v))
		}
	}
	return err
}

// where says where a value stands.
func (s *set) where(v settings.Value) string {
	if v.Line == 0 {
		return "this bundle"
	}
	return s.Where(v)
}

// origin says where the value of a flag comes from.
func (s *set) origin(given *kong.Context, flag string) string {
	if isGiven(given, flag, false) {
		return "--" + flag
	}
	if v, is := s.taken[flag]; is {
		return s.where(v)
	}
	for _, f := range given.Flags() {
		if name := inEnvironment(f); f.Name == flag && name != "" {
			return name
		}
	}
	return "default"
}

// isGiven says that a flag is on the command line, or else in the settings file.
func isGiven(given *kong.Context, flag string, bySettings bool) bool {
	return slices.ContainsFunc(given.Path,
		func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == flag && p.Resolved == bySettings })
}

// makesProfiles are the commands that may name a profile that there is not yet.
var makesProfiles = map[string]bool{"model use <name>": true, "db use <name>": true}

// keep writes the value of a flag into the settings file, into the profile that is in force, and says where it is.
func (s *set) keep(con *console, flag, value string) error {
	if s.Path == "" {
		return errors.New("no folder for settings: set HOME or XDG_CONFIG_HOME")
	}
	if err := settings.Set(s.Path, s.Profile, flag, value); err != nil {
		return fmt.Errorf("settings: %w", brief(err))
	}
	into := s.Path
	if s.Profile != "" {
		into += ", profile " + s.Profile
	}
	_, err := fmt.Fprintf(con, "%s: %s (%s)\n", flag, render.Visible(shownValue(flag, value)), render.Visible(into))
	return err
}

// shownValue is the value of a flag as others may read it.
func shownValue(flag, value string) string {
	if flag == "db" || flag == "against" {
		return runner.Redact(value)
	}
	return value
}

// bounded reads the value of a flag and refuses what its tag range does not hold: range:"1..64", an end left out where
// there is none, and ( before an end that is not possible itself. The message says what is possible.
func bounded(what string, read func(text string, target reflect.Value) (float64, error)) kong.MapperFunc {
	return func(ctx *kong.DecodeContext, target reflect.Value) error {
		between, least, most := boundsOf(ctx.Value.Tag.Get("range"))
		possible := "a " + what + between
		t := ctx.Scan.Peek()
		text := fmt.Sprint(t.Value)
		if t.IsEOL() || !t.IsValue() && !negative.MatchString(text) {
			return fmt.Errorf("give %s", possible)
		}
		ctx.Scan.Pop()
		n, err := read(text, target)
		if bare := unitless(""); errors.As(err, &bare) {
			return bare
		}
		if err != nil || !(n >= least && n <= most) {
			return fmt.Errorf("%s is not possible: give %s", text, possible)
		}
		return nil
	}
}

// negative is what begins as a flag does and is a value.
var negative = regexp.MustCompile(`^-[0-9.]`)

// boundsOf reads a tag range: in words, and the ends.
func boundsOf(tag string) (words string, least, most float64) {
	from, to, _ := strings.Cut(tag, "..")
	least, most = math.Inf(-1), math.Inf(1)
	end := func(text string, at *float64) string {
		if text == "" {
			return ""
		}
		n, err := strconv.ParseFloat(strings.Trim(text, "("), 64)
		if err != nil {
			panic("range " + tag) // a test reads every flag
		}
		*at = n
		return strings.Trim(text, "(")
	}
	low, high := end(from, &least), end(to, &most)
	open := strings.HasPrefix(from, "(")
	if open {
		least = math.Nextafter(least, math.Inf(1))
	}
	switch {
	case low != "" && high != "" && open:
		words = " above " + low + " and up to " + high
	case low != "" && high != "":
		words = " from " + low + " to " + high
	case low != "":
		words = ", " + low + " or more"
	}
	return words, least, most
}

func readWhole(text string, target reflect.Value) (float64, error) {
	if target.CanUint() {
		n, err := strconv.ParseUint(text, 10, target.Type().Bits())
		target.SetUint(n)
		return float64(n), err
	}
	n, err := strconv.ParseInt(text, 10, target.Type().Bits())
	target.SetInt(n)
	return float64(n), err
}

func readNumber(text string, target reflect.Value) (float64, error) {
	n, err := strconv.ParseFloat(text, target.Type().Bits())
	target.SetFloat(n)
	return n, err
}

// unitless is a time that is a number alone.
type unitless string

func (u unitless) Error() string {
	return fmt.Sprintf("%s has no unit: %[1]ss are seconds, %[1]sm minutes", string(u))
}

// readDuration returns seconds.
func readDuration(text string, target reflect.Value) (float64, error) {
	d, err := time.ParseDuration(text)
	if _, number := strconv.ParseUint(text, 10, 32); err != nil && number == nil {
		return 0, unitless(text)
	}
	target.SetInt(int64(d))
	return d.Seconds(), err
}

// firstWord is the place of the first argument that is no flag, nor the value of one.
func firstWord(args []string, known map[string]bool) int {
	for i := 0; i < len(args); i++ {
		switch {
		case !strings.HasPrefix(args[i], "-") || args[i] == "-":
			return i
		case known[args[i]]:
			i++
		}
	}
	return len(args)
}

// asTyped is a command line as people type it: nothing at all, help, help COMMAND, --version, a question alone, and a
// flag behind one dash or a long one, are what they mean.
func asTyped(args []string, known map[string]bool) []string {
	for i, arg := range args {
		flag := "--" + strings.TrimLeft(arg, "-–—")
		if _, is := known[strings.Split(flag, "=")[0]]; is && flag[2:] != arg {
			args[i] = flag
		}
	}
	switch i := firstWord(args, known); {
	case i < len(args) && strings.ContainsAny(strings.TrimSpace(args[i]), " ?"):
		return slices.Concat(args[:i], []string{"ask"}, args[i:])
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	case args[0] == "--version":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

// flagsOf are the flags of a command and of those below it: "--name" or "-n", and whether a value follows.
func flagsOf(node *kong.Node) map[string]bool {
	all := map[string]bool{}
	for _, f := range node.Flags {
		value := !f.IsBool() && !f.IsCounter()
		all["--"+f.Name] = value
		if f.Short != 0 {
			all["-"+string(f.Short)] = value
		}
	}
	for _, child := range node.Children {
		maps.Copy(all, flagsOf(child))
	}
	return all
}

// inOrder puts flags that stand before the name of their command behind it: flags belong to commands, and may come
// first.
func inOrder(node *kong.Node, known map[string]bool, args []string) []string {
	var words, flags []string
	for len(node.Children) > 0 && len(args) > 0 {
		arg := args[0]
		if strings.HasPrefix(arg, "-") && arg != "-" && arg != "--" {
			n := 1
			if known[arg] && len(args) > 1 { // not --name=value
				n = 2
			}
			flags, args = append(flags, args[:n]...), args[n:]
			continue
		}
		i := slices.IndexFunc(node.Children,
			func(c *kong.Node) bool { return c.Name == arg || slices.Contains(c.Aliases, arg) })
		if i < 0 {
			break
		}
		node, words, args = node.Children[i], append(words, arg), args[1:]
	}
	return slices.Concat(words, flags, args)
}

// gone are flags and commands that were taken until lately, or are looked for, with what to do instead.
var gone = syntax.Table(goneText)

//go:embed gone.txt
var goneText string

// clearer says what to do about a command line that is wrong: of a flag that is another command's, of a word that is no
// command, of an argument too many, and of what is missing.
func clearer(err error, known map[string]bool) error {
	var wrong *kong.ParseError
	if !errors.As(err, &wrong) || wrong.Context == nil {
		return err
	}
	command, below := "", []string{}
	if node := wrong.Context.Selected(); node != nil {
		command = node.Path()
		for _, child := range node.Children {
			below = append(below, child.Name)
		}
	}
	for _, missing := range []string{"expected ", "missing flags: "} {
		what, is := strings.CutPrefix(err.Error(), missing)
		switch {
		case !is:
		case command == "":
			return failure{exitUsage, errors.New("give a command: nl2sql help lists them")}
		case len(below) > 0:
			return failure{exitUsage, fmt.Errorf("%s does not stand alone: nl2sql %[1]s %s", command,
				strings.Join(below, "|"))}
		default:
			return failure{exitUsage, fmt.Errorf("%s needs %s: see nl2sql %[1]s --help", command,
				strings.Trim(what, `"`))}
		}
	}
	if flag, _, is := strings.Cut(err.Error(), ": expected string value but got "); is {
		return failure{exitUsage, fmt.Errorf("%s needs a value behind it: see nl2sql %s --help", flag, command)}
	}
	word, extra := strings.CutPrefix(err.Error(), "unexpected argument ")
	rest, unknown := strings.CutPrefix(word, "unknown flag ")
	first, _, _ := strings.Cut(rest, ",")
	name := first
	if extra {
		name = strings.TrimSpace(strings.TrimSuffix(command, " make") + " " + first)
	}
	if use := gone[strings.ReplaceAll(name, " ", "_")]; use != "" {
		return failure{exitUsage, fmt.Errorf("there is no %s: %s", name, use)}
	}
	if extra {
		if command == "" {
			return failure{exitUsage,
				fmt.Errorf("there is no command %s: nl2sql help lists them; to ask a question: nl2sql ask \"…\"", word)}
		}
		instead := "it takes no more; a text of several words stands in quotes"
		if flag := flagFor(wrong.Context.Selected(), first); len(below) > 0 {
			instead = "nl2sql " + command + " " + strings.Join(below, "|")
		} else if flag != "" {
			instead = "say " + flag + " " + first
		}
		return failure{exitUsage, fmt.Errorf("%s: unexpected argument %s: %s", command, word, instead)}
	}
	if _, there := known[name]; unknown && !there && command != "" {
		return failure{exitUsage, fmt.Errorf("%w: see nl2sql %s --help", err, command)}
	} else if !unknown || !there {
		return err
	}
	if command == "" {
		return failure{exitUsage, fmt.Errorf("%s is of commands, and there is none: nl2sql --help lists them", name)}
	}
	return failure{exitUsage, fmt.Errorf("%s takes no %s: see nl2sql %s --help", command, name, command)}
}

// flagFor is the one that a command takes a word behind which stands alone, a file or the name of a database; "" where
// it takes none.
func flagFor(command *kong.Node, word string) string {
	takes := flagsOf(command)
	for _, flag := range []string{"--items", "--file", "--pred"} {
		if (isThere(word) || strings.Contains(word, ".")) && takes[flag] {
			return flag
		}
	}
	if takes["--db"] && !strings.Contains(word, " ") && (len(command.Positional) == 0 || databaseOf(word) != word) {
		return "--db"
	}
	return ""
}

// manFlag writes the man page to stdout, for make install and make dist. Its date is SOURCE_DATE_EPOCH, in seconds
// since 1970, or today.
type manFlag bool

func (manFlag) BeforeApply(app *kong.Kong) error {
	date := time.Now()
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH=%s: it must be seconds since 1970", text)
		}
		date = time.Unix(seconds, 0).UTC()
	}
	wholeHelp(app.Model)
	fmt.Fprint(app.Stdout, mangokong.NewManPage(1, app.Model).Build(dated{roff.NewDocument(), date}))
	app.Exit(0)
	return nil
}

// dated writes a man page of a given day.
type dated struct {
	*roff.Document
	date time.Time
}

func (d dated) Heading(section uint, title, _ string, _ time.Time) {
	d.Document.Heading(section, title, "nl2sql", d.date) // the description is too long for a head
}
