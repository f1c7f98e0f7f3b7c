// Package settings knows the file in which people keep what they would else say with every command: flags by name, and
// profiles, which are named sets of them. What the values mean, the commands know.
package settings

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// Keys of the file that are no flags.
const (
	profileKey  = "profile"  // the profile that holds where none is named
	profilesKey = "profiles" // their names, each with flags
)

// File is the file as it was read. The zero value is that of nobody who set anything.
type File struct {
	Path    string
	Profile string // whose values come first; "" is none
	Lacks   bool   // the file has no such profile
	Others  []string

	values map[string]Value // of Profile, and of the file
}

// Value is what the file says of a flag.
type Value struct {
	Text string
	Line int
}

// Path is where the file lies: nl2sql.yaml in the folder nl2sql of the user's folder of settings.
func Path() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "nl2sql", "nl2sql.yaml"), err
}

// Read reads the file with one of its profiles; "" is the one that the file names. No file is an empty one. A key that
// is not among flags is refused.
func Read(path, profile string, flags []string) (File, error) {
	f := File{Path: path, Profile: profile, Lacks: profile != "", values: map[string]Value{}}
	file, _, err := load(path)
	if err != nil || file == nil {
		return f, err
	}
	doc := file.Content[0]
	top, err := f.mapping(doc)
	if err != nil {
		return f, err
	}
	if chosen, is := top[profileKey]; is && profile == "" {
		if chosen.Kind != yaml.ScalarNode || chosen.Value == "" {
			return f, f.errorf(chosen.Line, "%s: give the name of one", profileKey)
		}
		f.Profile, f.Lacks = chosen.Value, true
	}
	if err := f.keep(doc, flags, true); err != nil {
		return f, err
	}
	if profiles, is := top[profilesKey]; is {
		err = f.readProfiles(profiles, flags)
	}
	return f, err
}

// Profiles are the names of those in the file, whatever else is wrong with it.
func Profiles(path string) (names []string, err error) {
	doc, _, err := load(path)
	if err != nil || doc == nil || doc.Content[0].Kind != yaml.MappingNode {
		return nil, err
	}
	if i := find(doc.Content[0], profilesKey); i >= 0 {
		for j := 0; j < len(doc.Content[0].Content[i+1].Content); j += 2 {
			names = append(names, doc.Content[0].Content[i+1].Content[j].Value)
		}
	}
	return names, nil
}

// readProfiles reads all of them, for what is wrong in another one is told too, and keeps the values of one.
func (f *File) readProfiles(profiles *yaml.Node, flags []string) error {
	if _, err := f.mapping(profiles); err != nil {
		return err
	}
	for i := 0; i < len(profiles.Content); i += 2 {
		name, node := profiles.Content[i].Value, profiles.Content[i+1]
		f.Others = append(f.Others, name)
		into := f
		if name == f.Profile {
			f.Lacks = false
		} else {
			into = &File{Path: f.Path, values: map[string]Value{}}
		}
		if err := into.keep(node, flags, false); err != nil {
			return err
		}
	}
	return nil
}

// Get is what the file says of a flag; the profile outranks what holds always.
func (f File) Get(flag string) (Value, bool) {
	v, is := f.values[flag]
	return v, is
}

// Flags are those that the file sets, in order.
func (f File) Flags() []string { return slices.Sorted(maps.Keys(f.values)) }

// Where says where a value of the file stands.
func (f File) Where(v Value) string {
	text := fmt.Sprintf("%s:%d", f.Path, v.Line)
	if f.Profile != "" {
		text += ", profile " + f.Profile
	}
	return text
}

// Missing is an error where the profile that was named is not in the file.
func (f File) Missing() error {
	if !f.Lacks {
		return nil
	}
	there := "it has none"
	if len(f.Others) > 0 {
		there = "there are " + strings.Join(f.Others, ", ")
	}
	return fmt.Errorf("there is no profile %s in %s: %s; nl2sql --profile NAME model use MODEL makes one", f.Profile,
		f.Path, there)
}

// keep keeps the values of a mapping: those of profiles, which come last, outrank.
func (f *File) keep(node *yaml.Node, flags []string, top bool) error {
	all, err := f.mapping(node)
	if err != nil {
		return err
	}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		value := all[key.Value]
		switch {
		case top && (key.Value == profileKey || key.Value == profilesKey):
			continue
		case !slices.Contains(flags, key.Value):
			near := syntax.DidYouMean(strings.TrimLeft(key.Value, "-"),
				append(slices.Clone(flags), profileKey, profilesKey), "keys are flags without --, profile and profiles")
			return f.errorf(key.Line, "there is no key %s: %s", key.Value, near)
		case value.Kind != yaml.ScalarNode || value.ShortTag() == "!!null":
			return f.errorf(value.Line, "%s: give one value", key.Value)
		}
		f.values[key.Value] = Value{value.Value, value.Line}
	}
	return nil
}

// mapping are the values of a mapping by their keys.
func (f *File) mapping(node *yaml.Node) (map[string]*yaml.Node, error) {
	if node.Kind != yaml.MappingNode {
		return nil, f.errorf(max(1, node.Line), "here stand keys and values, such as model: qwen2.5-coder-1.5b")
	}
	all := map[string]*yaml.Node{}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		if _, twice := all[key.Value]; twice {
			return nil, f.errorf(key.Line, "%s is here twice", key.Value)
		}
		all[key.Value] = node.Content[i+1]
	}
	return all, nil
}

func (f *File) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", f.Path, line, fmt.Errorf(format, args...))
}

// load is the document that the file holds; nil if there is no file, or none but remarks in it, which it returns.
func load(path string) (doc *yaml.Node, remarks []byte, err error) {
	text, err := files.Read(path, files.Small)
	if _, lost := os.Stat(path); lost != nil || err == nil && nothing.Match(text) { // or none that can be reached
		return nil, text, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("settings: %w", err)
	}
	doc = &yaml.Node{}
	if err := yaml.Load(text, doc); err != nil {
		if at, ok := errors.AsType[*yaml.LoadError](err); ok && at.Mark.Line > 0 {
			return nil, nil, fmt.Errorf("%s:%d: not valid YAML: %s", path, at.Mark.Line, at.Message)
		}
		return nil, nil, fmt.Errorf("%s: not valid YAML: %w", path, err)
	}
	return doc, nil, nil
}

// nothing is a file of remarks at most.
var nothing = regexp.MustCompile(`^(?:[ \t]*(?:#.*)?\r?\n?)*$`)

// Set writes the value of a flag into the file, into a profile where one is named, and leaves the rest as it is, with
// its remarks. The file is there whole or not at all, and for its user's eyes alone: it may hold passwords.
func Set(path, profile, flag, value string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // of people who keep their settings elsewhere
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	lock, err := files.LockFolder(dir)
	for ; errors.Is(err, files.ErrLocked); lock, err = files.LockFolder(dir) {
		time.Sleep(time.Millisecond)
	}
	defer lock.Close() // nil where the file system has no locks
	doc, remarks, err := load(path)
	if err != nil {
		return err
	}
	if doc == nil {
		doc = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{{Kind: yaml.MappingNode}}}
	}
	top := doc.Content[0]
	into := top
	if profile != "" {
		into = below(below(top, profilesKey), profile)
	}
	if into.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: here stand keys and values", path, into.Line)
	}
	text := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
	if i := find(into, flag); i >= 0 {
		text.LineComment = into.Content[i+1].LineComment
		into.Content[i+1] = text
	} else {
		into.Content = append(into.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: flag}, text)
	}
	b, err := yaml.Dump(doc, yaml.WithIndent(2))
	if err != nil {
		return err
	}
	return runner.ReplaceFile(path, append(remarks, b...))
}

// find is where a mapping has a key, or less than 0.
func find(node *yaml.Node, key string) int {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// below is the mapping of a key, which is made where it is missing.
func below(node *yaml.Node, key string) *yaml.Node {
	if i := find(node, key); i >= 0 {
		return node.Content[i+1]
	}
	made := &yaml.Node{Kind: yaml.MappingNode}
	node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, made)
	return made
}
