package complete

import (
	"context"
	"slices"

	"github.com/alecthomas/kong"

	"nl2sql/assets"
	"nl2sql/cli/settings"
	"nl2sql/evaluation/score"
	"nl2sql/llm/catalog"
	"nl2sql/llm/fetch"
	"nl2sql/llm/llamacpp"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/syntax"
)

// Here is what may stand for flags and arguments on this machine. What cannot be read is left out: nobody looks for an
// error there.
func Here(ctx context.Context) Source {
	return func(command *kong.Node, v *kong.Value, placeholder string) (Values, bool) {
		for _, s := range sources {
			if slices.Contains(s.names, v.Name+" "+placeholder) || slices.Contains(s.names, placeholder) ||
				slices.Contains(s.names, command.Path()+" "+v.Name) {
				return s.values(ctx), true
			}
		}
		return Values{}, false
	}
}

// sources are the values of what has one of these names: a placeholder, a flag with its placeholder, or a command with
// the name of its argument. The first one counts.
var sources = []struct {
	names  []string
	values func(ctx context.Context) Values
}{
	{[]string{"model use name"}, models("openai:", "replay:")},
	{[]string{"model info file"}, models()},
	{[]string{"base MODEL", "in MODEL"}, models()},
	{[]string{"MODEL"}, models("openai:", "replay:")},
	{[]string{"adapter PATH"}, alsoFiles("auto", "none")},
	{[]string{"model fetch name"}, fetched},
	{[]string{"db use name", "DB"}, databases("embedded", "local", "embedded:", "bundle:", "author:")},
	{[]string{"db notes name", "db remove name", "db profile name"}, databases()},
	{[]string{"db notes file", "notes FILE"}, alsoFiles("none")},
	{[]string{"guards SET", "guards GUARDS"}, guards},
	{[]string{"without NAME,…"}, switches},
	{[]string{"kernels NAME"}, kernels},
	{[]string{"profile NAME", "profile P"}, profiles},
	{[]string{"items FILE"}, alsoFiles("benchmark", "train")},
	{[]string{"pool POOL", "pool FILE"}, alsoFiles("train", "test")},
	{[]string{"grid file"}, alsoFiles(assets.Grids()...)},
	{[]string{"type TYPE"}, func(context.Context) Values { return valuesNamed(llamacpp.Quantizations...) }},
}

func alsoFiles(words ...string) func(context.Context) Values {
	return func(context.Context) Values {
		all := valuesNamed(words...)
		all.Files = true
		return all
	}
}

func valuesNamed(words ...string) Values {
	return Values{Words: syntax.Map(words, func(w string) Word { return Word{Text: w} })}
}

func models(also ...string) func(context.Context) Values {
	return func(ctx context.Context) Values {
		all := Values{Files: true}
		if cache, err := runner.CacheFolder(); err == nil {
			files, _ := catalog.DefaultPlaces(cache).Files(ctx)
			for _, f := range files {
				if f.Problem == "" {
					all.Words = append(all.Words, Word{f.Name, f.Source})
				}
			}
		}
		all.Words = append(all.Words, valuesNamed(also...).Words...)
		return all
	}
}

func fetched(context.Context) Values {
	return Values{Words: syntax.Map(fetch.Models, func(m fetch.Model) Word { return Word{m.Name, m.Note} })}
}

func databases(also ...string) func(context.Context) Values {
	return func(context.Context) Values {
		names, _ := embedded.List()
		all := valuesNamed(names...)
		for i := range all.Words {
			all.Words[i].Help = "imported"
		}
		all.Words = append(all.Words, valuesNamed(also...).Words...)
		return all
	}
}

func guards(context.Context) Values {
	all := valuesNamed(guard.Sets()...)
	for _, name := range guard.Names() {
		all.Words = append(all.Words, Word{Text: name}, Word{Text: "-" + name})
	}
	all.List = true
	return all
}

func switches(context.Context) Values {
	words := syntax.Map(loop.Switches(), func(s loop.Switch) Word { return Word{s.Name, s.Off} })
	return Values{List: true, Words: words}
}

func kernels(context.Context) Values {
	runs := syntax.Filter(llamacpp.KernelSets(), func(set llamacpp.KernelSet) bool { return set.Runs })
	return Values{Words: syntax.Map(runs, func(set llamacpp.KernelSet) Word { return Word{Text: set.Name} })}
}

// profiles are those of the settings file, and of scores.
func profiles(context.Context) (all Values) {
	if path, err := settings.Path(); err == nil {
		names, _ := settings.Profiles(path)
		for _, name := range names {
			all.Words = append(all.Words, Word{name, "of the settings file"})
		}
	}
	for _, p := range score.Profiles {
		all.Words = append(all.Words, Word{p.Name, "of scores"})
	}
	return all
}
