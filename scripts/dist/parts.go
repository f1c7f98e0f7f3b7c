package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/klauspost/compress/zstd"
)

// part is something that is linked in.
type part struct {
	name, version string
	url           string // package URL
	licences      map[string][]byte
}

//go:embed wordnet.txt
var wordNetLicence []byte

// wordNet is the one resource of others in assets that has a licence of its own.
var wordNet = part{name: "wordnet", version: "3.0", url: "pkg:generic/wordnet@3.0",
	licences: map[string][]byte{"LICENSE": wordNetLicence}}

// linkedIn lists what a program is made of: Go, its modules, as the program itself says, llama.cpp and libraries of C.
func linkedIn(program, arch string) ([]part, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	parts, err := modules(info.GoVersion, info.Deps)
	parts = append(parts, wordNet)
	if err != nil || !cgo(info) {
		return parts, err
	}
	libraries, err := cLibraries(arch)
	return append(parts, libraries...), err
}

// modules are a release of Go, modules, and llama.cpp where one of them carries it.
func modules(release string, deps []*debug.Module) ([]part, error) {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	version := strings.TrimPrefix(release, "go")
	parts := []part{{name: "go", version: version, url: "pkg:golang/std@" + version}}
	folders := []string{root}
	for _, d := range deps {
		if d.Replace != nil {
			d = d.Replace
		}
		text, err := output("go", "mod", "download", "-json", d.Path+"@"+d.Version)
		if err != nil {
			return nil, err
		}
		var got struct{ Dir string }
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			return nil, err
		}
		parts, folders = append(parts, part{name: d.Path, version: d.Version, url: "pkg:golang/" + d.Path + "@" +
			d.Version}), append(folders, got.Dir)
		if d.Path == engineModule {
			engine, err := engineCommit(got.Dir)
			if err != nil {
				return nil, err
			}
			parts, folders = append(parts, part{name: "llama.cpp", version: engine,
				url: "pkg:github/ggml-org/llama.cpp@" + engine}),
				append(folders, filepath.Join(got.Dir, "llama/llama.cpp"))
		}
	}
	for i := range parts {
		if parts[i].licences, err = licences(folders[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", parts[i].name, err)
		}
	}
	return parts, nil
}

func cgo(info *buildinfo.BuildInfo) bool {
	for _, s := range info.Settings {
		if s.Key == "CGO_ENABLED" {
			return s.Value == "1"
		}
	}
	return false
}

const engineModule = "github.com/ollama/ollama" // carries llama.cpp

var engineVersion = regexp.MustCompile(`LLAMA_COMMIT = "([0-9a-f]+)"`)

func engineCommit(module string) (string, error) {
	text, err := os.ReadFile(filepath.Join(module, "llama/build-info.cpp"))
	if err != nil {
		return "", err
	}
	m := engineVersion.FindSubmatch(text)
	if m == nil {
		return "", errors.New("build-info.cpp does not name llama.cpp's commit")
	}
	return string(m[1]), nil
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|copyright|notice|patents|unlicense|authors)([-_.]|$)`)

// licences reads what a folder says about its licence; without any it is an error.
func licences(folder string) (map[string][]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		if found[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no licence in %s", folder)
	}
	return found, nil
}

// cLibraries lists the static libraries of C and C++, with what Debian's packages say about them. CXX names the
// compiler.
func cLibraries(arch string) ([]part, error) {
	cxx := cmp.Or(strings.Trim(os.Getenv("CXX"), "'"), "g++") // Go's build wants a path with spaces in quotes
	gcc, err := output(cxx, "-dumpfullversion")
	if err != nil {
		return nil, err
	}
	macros := exec.Command(cxx, "-E", "-dM", "-include", "features.h", "-x", "c", os.DevNull)
	text, err := macros.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cxx, err)
	}
	major, minor := macro(text, "__GLIBC__"), macro(text, "__GLIBC_MINOR__")
	if major == "" || minor == "" {
		return nil, fmt.Errorf("%s does not compile for glibc", cxx)
	}
	series, _, _ := strings.Cut(gcc, ".")
	var parts []part
	for _, l := range []struct{ name, version, file, deb string }{
		{"glibc", major + "." + minor, "libc.a", "libc6-dev"},
		{"libstdc++", gcc, "libstdc++.a", "libstdc++-" + series + "-dev"},
		{"libgcc", gcc, "libgcc.a", "libgcc-" + series + "-dev"},
	} {
		file, err := output(cxx, "-print-file-name="+l.file)
		if err != nil {
			return nil, err
		}
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		root := file[:max(0, strings.LastIndex(file, "/usr/"))] // of compilers that were unpacked elsewhere
		var text []byte
		for _, deb := range []string{l.deb, l.deb + "-" + arch + "-cross"} {
			if cross := strings.HasSuffix(deb, "-cross"); cross == (strings.Contains(file, "-cross/") ||
				strings.Contains(file, "/usr/aarch64-linux-gnu/")) {
				if text, err = os.ReadFile(root + "/usr/share/doc/" + deb + "/copyright"); err != nil {
					return nil, fmt.Errorf("the licence of %s is taken from Debian's package: %w", l.file, err)
				}
			}
		}
		parts = append(parts, part{l.name, l.version, "pkg:generic/" + strings.ReplaceAll(l.name, "+", "%2B") + "@" +
			l.version, map[string][]byte{"copyright": text}})
	}
	return parts, nil
}

func macro(text []byte, name string) string {
	m := regexp.MustCompile(`(?m)^#define ` + name + ` (\S+)$`).FindSubmatch(text)
	if m == nil {
		return ""
	}
	return string(m[1])
}

// bill is the software bill of materials, in CycloneDX's format.
func (r release) bill(parts []part, sum [32]byte) ([]byte, error) {
	b := cdx.NewBOM()
	b.Metadata = &cdx.Metadata{
		Timestamp: r.date.Format(time.RFC3339),
		Component: &cdx.Component{BOMRef: "nl2sql", Type: cdx.ComponentTypeApplication, Name: "nl2sql",
			Version: r.version,
			Hashes:  &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}}},
	}
	var components []cdx.Component
	var refs []string
	for _, p := range parts {
		components = append(components, cdx.Component{BOMRef: p.url, Type: cdx.ComponentTypeLibrary, Name: p.name,
			Version: p.version, PackageURL: p.url})
		refs = append(refs, p.url)
	}
	b.Components = &components
	b.Dependencies = &[]cdx.Dependency{{Ref: "nl2sql", Dependencies: &refs}}
	var out bytes.Buffer
	err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(b)
	return out.Bytes(), err
}

// output runs a program and returns what it writes, without the last newline.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	out, err := cmd.Output()
	if ee, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(ee.Stderr))
	}
	return strings.TrimSpace(string(out)), err
}

// collect writes the licences of nl2sql and of all that is linked into a release, for assets: every program prints
// those of its parts. It is run when a dependency came or went.
func collect(args []string) error {
	f := flag.NewFlagSet("licences", flag.ContinueOnError)
	out := f.String("out", "assets/licences.txt.zst", "file")
	if err := f.Parse(args); err != nil {
		return err
	}
	linked, err := releaseModules()
	if err != nil {
		return err
	}
	parts, err := modules("", linked)
	if err != nil {
		return err
	}
	libraries, err := cLibraries(runtime.GOARCH)
	if err != nil {
		return err
	}
	parts = append(append(parts, wordNet), libraries...)
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	text := licencesText(append([]part{{name: "nl2sql", licences: map[string][]byte{"LICENSE": own}}}, parts...))
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	return os.WriteFile(*out, w.EncodeAll([]byte(text), nil), 0o644)
}

// releaseModules are the modules that a release is built of.
func releaseModules() (deps []*debug.Module, err error) {
	cmd := exec.Command("go", "list", "-deps", "-tags", "netgo,osusergo,llamacpp", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux")
	list, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		if name, version, ok := strings.Cut(line, " "); ok {
			deps = append(deps, &debug.Module{Path: name, Version: version})
		}
	}
	return deps, nil
}

// licencesText has a head for each part, with its name, and below it the files that say what its licence is. It names
// no versions: those of C's libraries are of the machine that builds.
func licencesText(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		for _, name := range slices.Sorted(maps.Keys(p.licences)) {
			fmt.Fprintf(&b, "==== %s: %s\n\n%s\n\n", p.name, name, strings.TrimSpace(string(p.licences[name])))
		}
	}
	return b.String()
}
