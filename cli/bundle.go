package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"nl2sql/assets"
	"nl2sql/cli/bundle"
	"nl2sql/llm"
	"nl2sql/llm/fetch"
	"nl2sql/llm/openai"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

type bundleCmd struct {
	Make     bundleMakeCmd     `cmd:"" default:"withargs" help:"Write one file that holds this program with a model, a database and its notes, and runs alone."`
	List     bundleListCmd     `cmd:"" help:"List the parts of a bundle, and check each; --out writes them into a folder."`
	Licences bundleLicencesCmd `cmd:"" help:"Print the licences of all parts of a bundle, or of this program."`
}

type bundleMakeCmd struct {
	Out   string `required:"" help:"File to write; it must not exist." placeholder:"FILE"`
	Notes string `help:"Glossary of the database; that which is kept with it if absent, none leaves it out." placeholder:"FILE"`
	SourceFlags
	DBFlag
}

// Names of parts that this file alone knows.
const (
	modelPart    = "model"    // a GGUF file
	scriptedPart = "replay"   // scripted replies
	adapterPart  = "adapter"  // what --adapter named
	builtInPart  = "built-in" // the built-in adapter of the model, unpacked
	databasePart = "database" // of an imported one: database/NAME/FILE
)

// Run checks each part as the commands that use it do.
func (c *bundleMakeCmd) Run(ctx context.Context, con *console, open *opened) error {
	if _, err := os.Lstat(c.Out); err == nil {
		return failure{exitUsage, fmt.Errorf("%s is there already: choose another --out", c.Out)}
	}
	self, err := ownProgram()
	if err != nil {
		return err
	}
	files := []bundle.File{{Name: bundle.Program, Place: llm.Place{Path: self}}}
	model, about, err := c.model(ctx, con, open)
	if err != nil {
		return err
	}
	files = append(files, model...)
	database, name, err := c.database(ctx)
	if err != nil {
		return err
	}
	files = append(files, database...)
	licences, err := assets.Licences()
	if err != nil {
		return err
	}
	files = append(files, bundle.File{Name: bundle.Licences, Text: about + licences})
	bar := con.progress()
	err = bundle.Write(c.Out, files, func(done int64) { bar.show("writing, %d MB", done/1e6) })
	bar.clear()
	if err != nil {
		return fmt.Errorf("write the bundle: %w", brief(err))
	}
	b, err := bundle.Open(c.Out)
	if err != nil {
		return err
	}
	defer b.Close()
	_, err = fmt.Fprintf(con, "wrote %s: %s, with %s and %s: it runs alone\n", c.Out, fetch.Size(b.Bytes),
		path.Base(model[0].Name), name)
	return err
}

// model are the parts that are the model and its adapter, the model first, and what is known of its licence.
func (c *bundleMakeCmd) model(ctx context.Context, con *console, open *opened) ([]bundle.File, string, error) {
	s, err := c.source(ctx, con, open, openai.Options{})
	switch {
	case err != nil:
		return nil, "", err
	case s.replay != nil:
		text, err := readScripted(ctx, strings.TrimPrefix(c.Model, "replay:"))
		return []bundle.File{{Name: scriptedPart + "/replies.txt", Text: text}}, "", err
	case s.remote != nil:
		return nil, "", failure{exitUsage, errors.New("--model is on a server: a bundle holds a file")}
	}
	name := strings.TrimSuffix(filepath.Base(s.file.Path), ".gguf") + ".gguf"
	if _, p, err := partOf(ctx, s.file.Path, modelPart); err == nil {
		name = path.Base(p.Name)
	}
	files := []bundle.File{{Name: path.Join(modelPart, name), Place: s.file.Place()}}
	licence := "Its file names no licence: ask who made it."
	if s.file.Licence != "" {
		licence = "Licence, as its file says: " + s.file.Licence
	}
	about := fmt.Sprintf("==== model %s: %s\n\n%s\n\n", name, s.file.Name, licence)
	if s.adapter.Path != "" {
		return append(files, bundle.File{Name: adapterPart + "/adapter.gguf", Place: s.adapter.Place()}), about, nil
	}
	a, err := builtIn(s.file)
	if err != nil || a.Name == "" || c.Adapter == "none" {
		return files, about, err
	}
	text, err := a.GGUF()
	name = path.Join(builtInPart, a.SHA256, a.Name+".gguf")
	return append(files, bundle.File{Name: name, Text: string(text)}), about, err
}

// database are the parts that are the database and its notes, and what it is called.
func (c *bundleMakeCmd) database(ctx context.Context) (files []bundle.File, name string, err error) {
	engine, imported, _ := strings.Cut(c.DB, ":")
	if engine != "embedded" && engine != inBundle {
		return nil, "", failure{exitUsage, errors.New("a bundle holds an imported database, or the demo database: " +
			"nl2sql db import FILE makes one of a dump")}
	}
	db, err := openDB(ctx, c.DB, runner.Limits{})
	if err != nil {
		return nil, "", err
	}
	defer db.Close()
	name = "the database " + db.Backend().Database
	switch {
	case c.DB == "embedded":
		name = "the demo database"
	case engine == "embedded":
		all, err := embedded.Files(imported)
		if err != nil {
			return nil, "", err
		}
		for file, at := range all {
			file = path.Join(databasePart, imported, file)
			files = append(files, bundle.File{Name: file, Place: llm.Place{Path: at}})
		}
	case engine == inBundle:
		b, err := bundle.Open(imported)
		if err != nil {
			return nil, "", err
		}
		defer b.Close()
		for _, p := range b.Parts {
			if strings.HasPrefix(p.Name, databasePart+"/") {
				files = append(files, bundle.File{Name: p.Name, Place: b.Place(p)})
			}
		}
	}
	text, err := notesText(c.Notes, c.DB, "")
	if err != nil || text == "" || c.DB == "embedded" && c.Notes == "" { // those of the demo lie in the program
		return files, name, err
	}
	notes, err := tools.ParseNotes(strings.NewReader(text))
	if err != nil {
		return nil, "", fmt.Errorf("notes %s: %w", c.Notes, err)
	}
	s, err := readSchema(ctx, db)
	if err == nil {
		err = checkNotes(c.Notes, notes, s)
	}
	return append(files, bundle.File{Name: bundle.Notes, Text: text}), name, err
}

// openBundled opens the database of a bundle: the demo database where it holds none.
func openBundled(ctx context.Context, at string, limits runner.Limits) (*embedded.DB, error) {
	b, err := bundle.Open(at)
	if err != nil {
		return nil, brief(err)
	}
	first, is := b.Below(databasePart)
	if !is {
		return embedded.Open(ctx, "", limits)
	}
	folder := path.Dir(first.Name)
	parts := syntax.Filter(b.Parts, func(p bundle.Part) bool { return path.Dir(p.Name) == folder })
	if err := verify(ctx, b, parts...); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return embedded.OpenFS(ctx, b.FS(folder), path.Base(folder), limits) // which reads the bundle from now on
}

// bundledNotes are the notes of a bundle; "" where it has none.
func bundledNotes(at string) (string, error) {
	b, err := bundle.Open(at)
	if err != nil {
		return "", brief(err)
	}
	defer b.Close()
	p, is := b.Part(bundle.Notes)
	if !is {
		return "", nil
	}
	if err := verify(context.Background(), b, p); err != nil {
		return "", err
	}
	text, err := files.All(b.Reader(p), files.Large)
	return string(text), err
}

// readScripted reads the replies of a file, which may be a bundle.
func readScripted(ctx context.Context, file string) (string, error) {
	b, p, err := partOf(ctx, file, scriptedPart)
	if errors.Is(err, bundle.ErrNone) || errors.Is(err, os.ErrNotExist) {
		text, err := files.Read(file, files.Large)
		return string(text), brief(err)
	}
	if err != nil {
		return "", err
	}
	defer b.Close()
	text, err := files.All(b.Reader(p), files.Large)
	return string(text), err
}

// bundledAdapter reads the adapter in the bundle of a model, below a folder; it has no path where there is none.
func bundledAdapter(ctx context.Context, base llm.GGUF, folder string) (llm.Adapter, error) {
	if base.Start == 0 {
		return llm.Adapter{}, nil
	}
	b, err := bundle.Open(base.Path)
	if err != nil {
		return llm.Adapter{}, err
	}
	defer b.Close()
	p, is := b.Below(folder)
	if !is {
		return llm.Adapter{}, nil
	}
	if err := verify(ctx, b, p); err != nil {
		return llm.Adapter{}, err
	}
	return llm.ReadAdapterPlace(b.Place(p), base)
}

// hello says what to type to the bundle that this program is in.
func hello(ctx context.Context, con *console) error {
	self := os.Args[0]
	b, err := ownBundle()
	if err != nil {
		return err
	}
	defer b.Close()
	model, is := b.Below(modelPart)
	if !is {
		model, _ = b.Below(scriptedPart)
	}
	database, table := "the demo database", "orders"
	if p, is := b.Below(databasePart); is {
		database = "the database " + path.Base(path.Dir(p.Name))
		db, err := openBundled(ctx, b.Path, runner.Limits{})
		if err != nil {
			return err
		}
		defer db.Close()
		s, err := readSchema(ctx, db)
		if err != nil {
			return err
		}
		table = strings.ReplaceAll(s.Tables[0].Name, "_", " ")
	}
	fmt.Fprintf(con, `This is nl2sql with %s and %s. Type, say:
  %[3]s "How many %[4]s are there?"
  %[3]s serve --open   (the page, in a browser)
  %[3]s schema         (what the database holds)
  %[3]s help           (all else)
`, render.Visible(strings.TrimSuffix(path.Base(model.Name), ".gguf")), render.Visible(database), render.Visible(self),
		render.Visible(table))
	return nil
}

// openWhole opens a bundle; each of its parts is looked at.
func openWhole(ctx context.Context, file string) (*bundle.Bundle, error) {
	b, err := bundle.Open(file)
	if err != nil {
		return nil, brief(err)
	}
	if err := verify(ctx, b, b.Parts...); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

type bundleListCmd struct {
	File string `arg:"" help:"The bundle."`
	Out  string `help:"Write the parts into this folder, which must not exist." placeholder:"FOLDER"`
}

// Run looks at each part, and prints a line for each or writes them all.
func (c *bundleListCmd) Run(ctx context.Context, con *console) error {
	b, err := openWhole(ctx, c.File)
	if err != nil {
		return err
	}
	defer b.Close()
	if c.Out != "" {
		return c.write(con, b)
	}
	return con.table(listed([]string{"part", "bytes", "begins", "SHA-256"}, b.Parts, func(p bundle.Part) []any {
		return []any{p.Name, p.Bytes, p.Start, p.SHA256}
	}), con.format("auto"))
}

// write writes the parts, which only the user can read: they may hold rows.
func (c *bundleListCmd) write(con *console, b *bundle.Bundle) error {
	if err := os.Mkdir(c.Out, 0o700); err != nil {
		return brief(err)
	}
	for _, p := range b.Parts {
		at := filepath.Join(c.Out, filepath.FromSlash(p.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return brief(err)
		}
		mode := os.FileMode(0o600)
		if p.Name == bundle.Program {
			mode = 0o700
		}
		if err := b.Extract(p, at, mode); err != nil {
			return brief(err)
		}
	}
	_, err := fmt.Fprintf(con, "wrote %d files into %s\n", len(b.Parts), c.Out)
	return err
}

type bundleLicencesCmd struct {
	File string `arg:"" optional:"" help:"The bundle; this program if absent."`
}

// Run prints the texts.
func (c *bundleLicencesCmd) Run(ctx context.Context, con *console) error {
	if c.File == "" {
		c.File, _ = ownProgram()
	}
	b, err := openWhole(ctx, c.File)
	if errors.Is(err, bundle.ErrNone) {
		text, err := assets.Licences() // of a program alone
		if err != nil {
			return err
		}
		return con.page([]byte(text))
	}
	if err != nil {
		return err
	}
	defer b.Close()
	p, is := b.Part(bundle.Licences)
	if !is {
		return fmt.Errorf("the bundle %s holds no licences", c.File)
	}
	text, err := files.All(b.Reader(p), files.Large)
	if err != nil {
		return err
	}
	return con.page(text)
}

// inBundle begins a --db value, a --notes value or scripted replies that lie in the bundle whose path follows.
const inBundle = "bundle"

// ownProgram is the path of this program. Without /proc it is found as a shell finds it.
func ownProgram() (string, error) {
	self, err := os.Executable()
	if err == nil {
		return self, nil
	}
	self, err = exec.LookPath(os.Args[0])
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return filepath.Abs(self)
}

// ownBundle is the bundle that this program is in; nil if it is alone.
func ownBundle() (*bundle.Bundle, error) {
	self, err := ownProgram()
	if err != nil {
		return nil, nil // nobody knows: what it holds must then be named
	}
	b, err := bundle.Open(self)
	if errors.Is(err, bundle.ErrNone) || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return nil, nil
	}
	return b, err // damaged, or cut
}

// defaultsOf are the flags that a bundle sets, where neither the command line nor the environment does.
func defaultsOf(b *bundle.Bundle) map[string]string {
	flags := map[string]string{}
	if b == nil {
		return flags
	}
	if _, is := b.Below(modelPart); is {
		flags["model"] = b.Path
	} else if _, is := b.Below(scriptedPart); is {
		flags["model"] = "replay:" + b.Path
	}
	_, notes := b.Part(bundle.Notes)
	if _, is := b.Below(databasePart); is || notes {
		flags["db"] = inBundle + ":" + b.Path
	} else {
		flags["db"] = "embedded"
	}
	return flags
}

// aloneArgs are what a bundle does that is called without arguments: where there is a desktop it opens the page there,
// on a terminal it chats; none where it says what to type.
func aloneArgs(typed bool) []string {
	switch {
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		return []string{"serve", "--listen", "127.0.0.1:0", "--open"}
	case typed:
		return []string{"chat"}
	}
	return nil
}

// verify looks at parts of a bundle, once for good where that can be remembered.
func verify(ctx context.Context, b *bundle.Bundle, parts ...bundle.Part) error {
	folder, err := runner.CacheFolder()
	if err != nil {
		folder = "" // nothing is remembered then
	} else {
		folder = filepath.Join(folder, "bundles")
	}
	bar := newConsole().progress()
	defer bar.clear()
	return b.Verify(ctx, folder, func(done, of int64) { bar.show("checking the bundle %3d %%", 100*done/of) }, parts...)
}

// partOf opens the bundle at a path with its first part below a folder. Its error is [bundle.ErrNone] where no bundle
// is there.
func partOf(ctx context.Context, at, folder string) (*bundle.Bundle, bundle.Part, error) {
	b, err := bundle.Open(at)
	if err != nil {
		return nil, bundle.Part{}, err
	}
	p, is := b.Below(folder)
	if !is {
		return nil, p, errors.Join(fmt.Errorf("the bundle %s holds no %s", filepath.Base(at), folder), b.Close())
	}
	if err := verify(ctx, b, p); err != nil {
		return nil, p, errors.Join(err, b.Close())
	}
	return b, p, nil
}
