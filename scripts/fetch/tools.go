package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

const staticcheckVersion = "v0.8.2"

// fetchStaticcheck returns the path of the linter, which it builds first if need be: `go run` with a version would ask
// the network each time. Go checks the source against its checksum database.
func fetchStaticcheck(ctx context.Context, c cache, args []string) (string, error) {
	dir := c.Path("tools", "staticcheck-"+staticcheckVersion+"-"+runtime.Version())
	bin := filepath.Join(dir, "staticcheck")
	if _, err := os.Stat(bin); err == nil {
		return bin, nil
	}
	unlock, err := c.Lock(ctx, "staticcheck")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(bin); err == nil { // the one we waited for built it
		return bin, nil
	}
	tmp, err := os.MkdirTemp(c.Path("downloads"), "staticcheck-*")
	if err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(tmp)
	say("staticcheck %s: building it (1 MB of source) in %s", staticcheckVersion, dir)
	cmd := exec.CommandContext(ctx, "go", "install", "honnef.co/go/tools/cmd/staticcheck@"+staticcheckVersion)
	cmd.Env = append(os.Environ(), "GOBIN="+tmp, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("staticcheck: %s", lastLine(out))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	return bin, os.Rename(filepath.Join(tmp, "staticcheck"), bin)
}
