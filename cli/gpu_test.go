package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/llm/llamacpp"
)

// cudaLibrary returns the library that make cuda built for this version, or skips the test.
func cudaLibrary(t *testing.T) string {
	t.Helper()
	for _, place := range cudaPlaces() {
		path := filepath.Join(place, llamacpp.GPULibrary())
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("no %s: make cuda builds it", llamacpp.GPULibrary())
	return ""
}

// Without a driver the program for GPUs loads its library and answers on the CPU, with one warning if a GPU was asked
// for and none if not.
func TestCUDAWithoutDriver(t *testing.T) {
	if !hasEngine(realModel) {
		t.Skip("needs the engine and a model: make engine")
	}
	library := cudaLibrary(t)
	if _, err := os.Stat("/proc/driver/nvidia/version"); err == nil {
		t.Skip("there is a driver here")
	}
	program := filepath.Join(t.TempDir(), "nl2sql")
	if out, err := exec.Command("go", "build", "-tags", "netgo,osusergo,llamacpp,cuda", "-ldflags",
		`-linkmode external -extldflags "-static-libstdc++ -static-libgcc"`, "-o", program,
		"..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const (
		noGPU     = "the CUDA library finds no GPU: failed to initialize CUDA: "
		noLibrary = "no libggml-cuda-"
	)
	for _, tt := range []struct{ name, place, layers, warning string }{
		{"asked for", library, "99", noGPU},
		{"a folder", filepath.Dir(library), "1", noGPU},
		{"not asked for", library, "auto", ""},
		{"not wanted", library, "0", ""},
		{"no library", t.TempDir(), "99", noLibrary},
	} {
		cmd := exec.Command(program, "--model", realModel, "--gpu-layers", tt.layers, "ask", "--format", "plain",
			"How many orders were shipped?")
		cmd.Env = append(os.Environ(), "NL2SQL_CUDA="+tt.place, "NL2SQL_CACHE="+t.TempDir())
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Run(); err != nil || !strings.HasSuffix(out.String(), "\n293\n") {
			t.Errorf("%s: %v, %q, %q", tt.name, err, out.String(), errOut.String())
		}
		want := "nl2sql: warning: no GPU is used: " + tt.warning
		if got := errOut.String(); tt.warning == "" && got != "" || tt.warning != "" &&
			(!strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1) {
			t.Errorf("%s: stderr %q, want %q", tt.name, got, want)
		}
	}
	cmd := exec.Command(program, "doctor", "--format", "plain")
	cmd.Env = append(os.Environ(), "NL2SQL_CUDA="+library)
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != exitNo ||
		!strings.Contains(string(out), "GPU\toptional\tno NVIDIA driver; "+noGPU) {
		t.Errorf("doctor: %v, %s", err, out)
	}
}
