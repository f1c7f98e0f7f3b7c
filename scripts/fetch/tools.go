package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const mcpVersion = "2.3.0"

// goTools are programs in Go, built here: `go run` with a version would ask the network each time. Go checks the source
// against its checksum database.
var goTools = map[string]string{
	"staticcheck": "honnef.co/go/tools/cmd/staticcheck@v0.8.2",
	"gotestsum":   "gotest.tools/gotestsum@v1.13.0",
}

// fetchGoTool returns the path of one of goTools.
func fetchGoTool(name string) func(context.Context, cache, []string) (string, error) {
	return func(ctx context.Context, c cache, _ []string) (string, error) {
		_, version, _ := strings.Cut(goTools[name], "@")
		return c.tool(ctx, name+"-"+version+"-"+runtime.Version(), name, func(dir string) error {
			say("%s %s: building it", name, version)
			cmd := exec.CommandContext(ctx, "go", "install", goTools[name])
			cmd.Env = append(os.Environ(), "GOBIN="+dir, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %s", name, lastLine(out))
			}
			return nil
		})
	}
}

// fetchMCP returns the path of a Python in a virtual environment with the protocol's official client (MIT).
func fetchMCP(ctx context.Context, c cache, _ []string) (string, error) {
	return c.tool(ctx, "mcp-"+mcpVersion, filepath.Join("bin", "python"), func(dir string) error {
		say("mcp %s: installing the client with pip", mcpVersion)
		if _, err := output(ctx, "", "python3", "-m", "venv", "--copies", dir); err != nil {
			return fmt.Errorf("mcp: %w", err)
		}
		pip := []string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "mcp==" + mcpVersion}
		if _, err := output(ctx, "", filepath.Join(dir, "bin", "python"), pip...); err != nil {
			return fmt.Errorf("mcp: %w", err)
		}
		return nil
	})
}

// tool returns the path of a file in a folder of tools, which make fills first if need be.
func (c cache) tool(ctx context.Context, name, file string, make func(dir string) error) (string, error) {
	dir := c.Path("tools", name)
	path := filepath.Join(dir, file)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	unlock, err := c.Lock(ctx, name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(path); err == nil { // the one we waited for made it
		return path, nil
	}
	tmp, err := os.MkdirTemp(c.Path("downloads"), name+"-*")
	if err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := make(tmp); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	return path, os.Rename(tmp, dir)
}
