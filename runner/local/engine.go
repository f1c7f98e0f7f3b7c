//go:build linux

package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// engine is a server program that can be run.
type engine struct {
	kind      string // "mysql" or "mariadb"
	version   string // e.g. "8.0.15"
	program   string
	root      string // folder it was unpacked into; "" if it is installed
	libraries string // folder of the shared libraries that came with it; "" if it is installed
}

// places lists where a server may be, in order of preference.
var places = []struct {
	kind, below      string // below the cache folder; "" is PATH
	program, library string
}{
	{"mysql", "mysql", "bin/mysqld", "lib"},
	{"mysql", "", "mysqld", ""},
	{"mariadb", "mariadb", "usr/sbin/mariadbd", "usr/lib/x86_64-linux-gnu"},
	{"mariadb", "", "mariadbd", ""},
	{"mariadb", "", "mysqld", ""}, // older packages
}

// findEngine takes the first server of a kind; "" is any.
func findEngine(ctx context.Context, cache, kind string) (engine, error) {
	var broken []error
	for _, p := range places {
		if kind != "" && kind != p.kind {
			continue
		}
		e := engine{kind: p.kind, program: lookPath(p.program)}
		if p.below != "" {
			e.root = filepath.Join(cache, p.below)
			e.program, e.libraries = filepath.Join(e.root, p.program), filepath.Join(e.root, p.library)
		}
		if _, err := os.Stat(e.program); e.program == "" || err != nil {
			continue
		}
		is, version, err := e.ask(ctx)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		if is == p.kind {
			e.version = version
			return e, nil
		}
	}
	if len(broken) > 0 {
		return engine{}, fmt.Errorf("local: no server can be run: %w", errors.Join(broken...))
	}
	switch kind {
	case "mysql":
		return engine{}, errors.New("local: no mysqld on PATH or in the cache folder; make mysql fetches one")
	case "mariadb":
		return engine{}, errors.New("local: no mariadbd on PATH or in the cache folder; make mariadb fetches one")
	}
	return engine{}, errors.New("local: no mysqld or mariadbd on PATH or in the cache folder; make mysql fetches one")
}

// lookPath looks where servers are installed, too: an ordinary user's PATH often lacks those folders.
func lookPath(program string) string {
	if path, err := exec.LookPath(program); err == nil {
		return path
	}
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin", "/usr/libexec"} {
		if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return path
		}
	}
	return ""
}

var versionNumber = regexp.MustCompile(`Ver (\d+\.\d+\.\d+)`)

// ask runs the program to see what it is.
func (e engine) ask(ctx context.Context) (kind, version string, err error) {
	out, err := e.command(ctx, "--no-defaults", "--version").CombinedOutput()
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	m := versionNumber.FindStringSubmatch(first)
	if err != nil || m == nil {
		return "", "", fmt.Errorf("%s --version: %s (%v)", e.program, first, err)
	}
	kind = "mysql"
	if strings.Contains(first, "MariaDB") {
		kind = "mariadb"
	}
	return kind, m[1], nil
}

func (e engine) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, e.program, args...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LANG=C", "HOME=/nonexistent"}
	if e.libraries != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+e.libraries)
	}
	return cmd
}

// everyStart are the flags that need no folder; a loose one is passed over by a version that does not know it. The log
// file's default makes 100 MB of every small database, and what one query may take of memory and disk for temporary
// tables is 1 GB and has no bound; MariaDB has a cache of 128 MB for their pages.
const everyStart = `--skip-networking --skip-name-resolve --local-infile=0 --character-set-server=utf8mb4
	--performance-schema=OFF --innodb-buffer-pool-size=64M --loose-innodb-log-file-size=16M --max-connections=32
	--loose-temptable-max-ram=128M --loose-temptable-max-mmap=1G --loose-aria-pagecache-buffer-size=8M
	--innodb-temp-data-file-path=ibtmp1:12M:autoextend:max:2G`

// args are the flags of every start on the data in dir.
func (e engine) args(dir string) []string {
	args := append([]string{"--no-defaults", // first, or it is not understood
		"--datadir=" + filepath.Join(dir, "data"), "--tmpdir=" + dir, "--pid-file=" + filepath.Join(dir, "pid"),
	}, strings.Fields(everyStart)...)
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	switch {
	case e.kind == "mysql":
		args = append(args, "--loose-mysqlx=OFF", "--secure-file-priv=NULL", "--skip-log-bin", "--loose-skip-ssl",
			"--loose-auto-generate-certs=OFF", "--loose-sha256-password-auto-generate-rsa-keys=OFF",
			"--loose-caching-sha2-password-auto-generate-rsa-keys=OFF")
		if e.root != "" {
			args = append(args, "--basedir="+e.root)
		}
	default: // MariaDB has no NULL: an empty folder
		args = append(args, "--secure-file-priv="+filepath.Join(dir, "files"))
		if e.root != "" {
			args = append(args, "--basedir="+filepath.Join(e.root, "usr"), "--lc-messages-dir="+e.share(),
				"--character-sets-dir="+filepath.Join(e.share(), "charsets"))
		}
	}
	return args
}

// share is the folder of a MariaDB's messages and scripts; "" if it cannot be found.
func (e engine) share() string {
	prefix := filepath.Dir(filepath.Dir(e.program))
	for _, dir := range []string{"share/mysql", "share/mariadb", "share"} {
		dir = filepath.Join(prefix, dir)
		if _, err := os.Stat(filepath.Join(dir, systemScripts("mysql")[0])); err == nil {
			return dir
		}
		if _, err := os.Stat(filepath.Join(dir, systemScripts("mariadb")[0])); err == nil {
			return dir
		}
	}
	return ""
}

// systemScripts are the files that fill an empty MariaDB, with the prefix of 10 or of 11.
func systemScripts(prefix string) []string {
	return []string{prefix + "_system_tables.sql", prefix + "_performance_tables.sql", prefix +
		"_system_tables_data.sql"}
}

// initialise makes an empty data folder below dir, its root user without a password.
func (e engine) initialise(ctx context.Context, dir string, lock *os.File) error {
	if e.kind == "mysql" {
		p, err := spawn(e, append(e.args(dir), "--initialize-insecure"), dir, lock, nil)
		if err != nil {
			return err
		}
		return p.finish(ctx)
	}
	share := e.share()
	if share == "" {
		return fmt.Errorf("the system tables' scripts of %s are not beside it", e.program)
	}
	script := []byte("CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n")
	for i := range systemScripts("mysql") {
		text, err := os.ReadFile(filepath.Join(share, systemScripts("mysql")[i]))
		if errors.Is(err, os.ErrNotExist) {
			text, err = os.ReadFile(filepath.Join(share, systemScripts("mariadb")[i]))
		}
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, "@current_hostname") { // root on this socket only
				script = append(script, line...)
			}
		}
	}
	p, err := spawn(e, append(e.args(dir), "--bootstrap", "--log-warnings=0", "--enforce-storage-engine=",
		"--max-allowed-packet=8M", "--net-buffer-length=16K"), dir, lock, script)
	if err != nil {
		return err
	}
	return p.finish(ctx)
}
