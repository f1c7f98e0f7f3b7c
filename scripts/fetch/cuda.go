package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// cudaWheels are Python packages with NVIDIA's compiler, as pip wants them. No code of the packages themselves runs.
//
//go:embed cuda.txt
var cudaWheels string

// fillCUDA unpacks them. Wheels do not say which files are programs: those in folders named bin are.
func fillCUDA(ctx context.Context, tmp, into string) error {
	list := filepath.Join(tmp, "requirements.txt")
	if err := os.WriteFile(list, []byte(cudaWheels), 0o644); err != nil {
		return err
	}
	if _, err := output(ctx, "", "python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
		"--only-binary=:all:", "--require-hashes", "--target", into, "-r", list); err != nil {
		return err
	}
	_, err := output(ctx, into, "find", ".", "-path", "*/bin/*", "-type", "f", "-exec", "chmod", "755", "{}", "+")
	return err
}

// cudaHooks is our own part of the library.
const cudaHooks = "llm/llamacpp/cuda/hooks.cpp"

// fetchCUDA returns the path of libggml-cuda for GPUs of the compute capabilities args, which it compiles from the Go
// module's sources first if need be. What was compiled stays when it is interrupted.
func fetchCUDA(ctx context.Context, c cache, args []string) (string, error) {
	arch, err := gencode(args)
	if err != nil {
		return "", err
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return "", fmt.Errorf("cuda: built for Linux on amd64 only, not for %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	t, err := findToolkit(ctx, c)
	if err != nil {
		return "", fmt.Errorf("cuda: %w", err)
	}
	b, err := newCUDABuild(ctx, t, arch)
	if err != nil {
		return "", fmt.Errorf("cuda: %w", err)
	}
	b.dir = c.Path("cuda", b.key())
	library := filepath.Join(b.dir, b.name())
	if _, err := os.Stat(library); err != nil {
		unlock, err := c.Lock(ctx, "cuda")
		if err != nil {
			return "", err
		}
		defer unlock()
		if err := b.run(ctx, library); err != nil {
			if ctx.Err() != nil {
				return "", errors.New("cuda: interrupted; the next run goes on from here")
			}
			return "", fmt.Errorf("cuda: %w", err)
		}
	}
	return library, link(library, c.Path("cuda", b.name()))
}

// link makes path a link to target, where the program looks for it; the last build counts.
func link(target, path string) error {
	tmp := path + ".new"
	if err := os.Remove(tmp); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.Symlink(target, tmp); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// gencode returns nvcc's flags for compute capabilities such as 80 or 90a. GPUs that are newer than the last of them
// compile what it takes when they first load it.
func gencode(caps []string) ([]string, error) {
	if len(caps) == 0 {
		return nil, errors.New("cuda: no compute capability: 80, 86, 89 and 90 are A100, RTX 30, RTX 40 and H100")
	}
	valid := regexp.MustCompile(`^[1-9][0-9]{1,2}[af]?$`)
	var flags []string
	for i, c := range caps {
		if !valid.MatchString(c) {
			return nil, fmt.Errorf("cuda: no compute capability %q: 80, 86, 89 and 90 are A100, RTX 30, RTX 40 and H100", c)
		}
		code := "sm_" + c
		if i == len(caps)-1 {
			code = "[sm_" + c + ",compute_" + c + "]"
		}
		flags = append(flags, "-gencode", "arch=compute_"+c+",code="+code)
	}
	return flags, nil
}

// toolkit is a CUDA compiler with its libraries.
type toolkit struct {
	nvcc    string
	version string // "13.0.88"
	libs    string // folder of cublas and libcudart_static.a
	cublas  string // the shared library
	include []string
}

// findToolkit returns the toolkit of CUDA_HOME, PATH or /usr/local/cuda, in this order, or else fetches one.
func findToolkit(ctx context.Context, c cache) (toolkit, error) {
	if home := os.Getenv("CUDA_HOME"); home != "" {
		return openToolkit(ctx, filepath.Join(home, "bin", "nvcc"))
	}
	if nvcc, err := exec.LookPath("nvcc"); err == nil {
		return openToolkit(ctx, nvcc)
	}
	if nvcc := "/usr/local/cuda/bin/nvcc"; exec.Command(nvcc, "--version").Run() == nil {
		return openToolkit(ctx, nvcc)
	}
	nvcc, err := c.getNamed(ctx, "cuda-toolkit")
	if err != nil {
		return toolkit{}, err
	}
	return openToolkit(ctx, nvcc)
}

var nvccVersion = regexp.MustCompile(`release [0-9.]+, V([0-9.]+)`)

// openToolkit looks at what belongs to an nvcc.
func openToolkit(ctx context.Context, nvcc string) (toolkit, error) {
	real, err := filepath.EvalSymlinks(nvcc)
	if err != nil {
		return toolkit{}, fmt.Errorf("no CUDA compiler: %w", err)
	}
	text, err := output(ctx, "", real, "--version")
	if err != nil {
		return toolkit{}, fmt.Errorf("the CUDA compiler does not work: %w", err)
	}
	m := nvccVersion.FindStringSubmatch(text)
	if m == nil {
		return toolkit{}, fmt.Errorf("%s does not tell its version: %s", real, lastLine([]byte(text)))
	}
	home := filepath.Dir(filepath.Dir(real))
	t := toolkit{nvcc: real, version: m[1]}
	for _, dir := range []string{"lib64", "targets/x86_64-linux/lib", "lib", "lib/x86_64-linux-gnu"} {
		libs := filepath.Join(home, dir)
		// The name without a number is missing in the packages, and a link to one with numbers elsewhere.
		found, err := filepath.Glob(filepath.Join(libs, "libcublas.so.*"))
		if _, static := os.Stat(filepath.Join(libs, "libcudart_static.a")); err == nil &&
			static == nil && len(found) > 0 {
			slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) })
			t.libs, t.cublas = libs, found[0]
			break
		}
	}
	if t.libs == "" {
		return toolkit{}, fmt.Errorf("the CUDA toolkit in %s lacks libcudart_static.a or libcublas: install all of it, or hide it from PATH and CUDA_HOME, and another is fetched", home)
	}
	for _, dir := range []string{"include", "targets/x86_64-linux/include", "include/cccl"} {
		if st, err := os.Stat(filepath.Join(home, dir)); err == nil && st.IsDir() {
			t.include = append(t.include, "-I"+filepath.Join(home, dir))
		}
	}
	return t, nil
}

// cudaBuild is what libggml-cuda is made of.
type cudaBuild struct {
	toolkit
	module  string // folder of the Go module
	version string // of the module and llama.cpp's commit, as in the library's name
	gcc     string // g++'s version
	arch    []string
	hooks   []byte
	dir     string // objects and the library
}

var llamaCommit = regexp.MustCompile(`LLAMA_COMMIT = "([0-9a-f]+)"`)

func newCUDABuild(ctx context.Context, t toolkit, arch []string) (*cudaBuild, error) {
	if _, err := goCommand(ctx, "mod", "download", engineModule); err != nil {
		return nil, err
	}
	out, err := goCommand(ctx, "list", "-m", "-f",
		"{{with .Replace}}{{.Version}} {{.Dir}}{{else}}{{.Version}} {{.Dir}}{{end}}", engineModule)
	if err != nil {
		return nil, err
	}
	version, dir, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if version == "" {
		return nil, fmt.Errorf("%s is replaced by a folder: its version is not known", engineModule)
	}
	b := &cudaBuild{toolkit: t, module: dir, arch: arch}
	info, err := os.ReadFile(filepath.Join(b.module, "llama/build-info.cpp"))
	if err != nil {
		return nil, err
	}
	m := llamaCommit.FindSubmatch(info)
	if m == nil {
		return nil, errors.New("build-info.cpp does not name llama.cpp's commit")
	}
	b.version = version + "-" + string(m[1])
	if b.gcc, err = output(ctx, "", "g++", "-dumpfullversion", "-dumpmachine"); err != nil {
		return nil, fmt.Errorf("no C++ compiler: %w", err)
	}
	b.hooks, err = os.ReadFile(cudaHooks)
	return b, err
}

// name is the library's. The program loads no file of another name: ggml does not notice when structures differ.
func (b *cudaBuild) name() string { return "libggml-cuda-" + b.version + ".so" }

// key follows from all that makes the objects.
func (b *cudaBuild) key() string {
	sum := sha256.New()
	fmt.Fprintln(sum, b.version, b.toolkit.version, b.nvcc, b.gcc, b.arch, b.flags(), string(b.hooks))
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// cudaDefines are upstream's for a library that is loaded, with CUDA graphs and without virtual memory management,
// which would bind the library to the driver.
var cudaDefines = []string{"-DGGML_BACKEND_DL", "-DGGML_BACKEND_SHARED", "-DGGML_BACKEND_BUILD", "-DGGML_CUDA_NO_VMM",
	"-DGGML_CUDA_USE_GRAPHS", "-DGGML_CUDA_PEER_MAX_BATCH_SIZE=128", "-DNDEBUG"}

// flags are nvcc's, as upstream's CMakeLists.txt has them.
func (b *cudaBuild) flags() []string {
	f := slices.Concat([]string{"-std=c++17", "-O3"}, b.arch, []string{"-use_fast_math", "-extended-lambda"})
	if newer(b.toolkit.version, 12, 8) {
		f = append(f, "-compress-mode=size")
	}
	return append(f, "-Xcompiler", "-fPIC,-fvisibility=hidden")
}

// newer reports whether a version is at least major.minor.
func newer(version string, major, minor int) bool {
	var a, b int
	_, err := fmt.Sscanf(version, "%d.%d", &a, &b)
	return err == nil && (a > major || a == major && b >= minor)
}

// step is a file to compile, and the command that does, but for the object.
type step struct{ source, object, command string }

// steps lists what is compiled: ggml-cuda's files, as upstream's CMakeLists.txt chooses them, ggml's own base and
// hooks.
func (b *cudaBuild) steps() ([]step, error) {
	ggml := filepath.Join(b.module, "ml/backend/ggml/ggml")
	src := filepath.Join(ggml, "src")
	include := []string{"-I" + filepath.Join(ggml, "include"), "-I" + src}
	var steps []step
	add := func(source string, command ...string) {
		rel, err := filepath.Rel(src, source)
		if err != nil || strings.HasPrefix(rel, "..") {
			rel = filepath.Base(source)
		}
		object := strings.ReplaceAll(rel, "/", "_") + ".o"
		steps = append(steps, step{source, object, shellLine(append(command, "-c", source)...)})
	}
	nvcc := slices.Concat([]string{b.nvcc}, b.flags(), include, []string{"-I" + filepath.Join(src, "ggml-cuda")},
		b.include, cudaDefines)
	for _, pattern := range []string{"*.cu", "template-instances/fattn-tile*.cu", "template-instances/fattn-mma*.cu",
		"template-instances/mmq*.cu", "template-instances/mmf*.cu", "template-instances/fattn-vec*f16-f16.cu",
		"template-instances/fattn-vec*q8_0-q8_0.cu", "template-instances/fattn-vec*q4_0-q4_0.cu"} {
		found, err := filepath.Glob(filepath.Join(src, "ggml-cuda", pattern))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("the module %s has no ggml-cuda/%s", b.version, pattern)
		}
		for _, f := range found {
			add(f, slices.Clone(nvcc)...)
		}
	}
	base := slices.Concat([]string{"-O3", "-fPIC", "-fvisibility=hidden", "-D_GNU_SOURCE", "-w", `-DGGML_VERSION="0"`,
		`-DGGML_COMMIT="0"`, `-DNL2SQL_VERSION="` + b.version + `"`}, include, cudaDefines)
	for _, f := range []string{"ggml.c", "ggml-alloc.c", "ggml-quants.c"} {
		add(filepath.Join(src, f), append([]string{"gcc", "-std=gnu11"}, base...)...)
	}
	for _, f := range []string{"ggml.cpp", "ggml-backend.cpp", "ggml-opt.cpp", "ggml-threading.cpp", "gguf.cpp",
		"mem_nvml.cpp"} {
		add(filepath.Join(src, f), append([]string{"g++", "-std=c++17"}, base...)...)
	}
	hooks, err := filepath.Abs(cudaHooks)
	add(hooks, append([]string{"g++", "-std=c++17"}, base...)...)
	return steps, err
}

// run lets make compile what has not been compiled yet, and link.
func (b *cudaBuild) run(ctx context.Context, library string) error {
	steps, err := b.steps()
	if err != nil {
		return err
	}
	say("cuda: compiling %d files with CUDA %s in %s; for each compute capability that takes about 40 minutes of one core",
		len(steps), b.toolkit.version, b.dir)
	link := shellLine("-lpthread", "-ldl", "-lrt", "-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL",
		"-Wl,--gc-sections", "-Wl,--no-undefined", "-Wl,-rpath,$ORIGIN:"+b.libs+":/usr/local/cuda/lib64", "-s")
	return makeAll(ctx, b.dir, filepath.Base(library), "g++ -shared $^ "+
		shellLine(filepath.Join(b.libs, "libcudart_static.a"), b.cublas)+" "+link, steps)
}

// makeAll makes the objects of steps in a folder, as many at a time as there are processors, and the target of them.
// Each is made beside its place first, so that what is there is whole, and the next run goes on from it.
func makeAll(ctx context.Context, dir, target, link string, steps []step) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	objects, rules := "", ""
	for _, s := range steps {
		objects += " " + s.object
		rules += fmt.Sprintf("%s:\n\t@echo %s\n\t@%s -o new-$@ && mv new-$@ $@\n", s.object, s.object, s.command)
	}
	rules = fmt.Sprintf("%s:%s\n\t@%s -o new-$@ && mv new-$@ $@\n%s", target, objects, link, rules)
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(rules), 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "make", "-C", dir, "--no-print-directory", "-j", fmt.Sprint(runtime.NumCPU()))
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // nvcc then removes its files in /tmp
	cmd.WaitDelay = 10 * time.Second
	return cmd.Run()
}

// shellLine is a command for a Makefile.
func shellLine(words ...string) string {
	for i, w := range words {
		if strings.ContainsAny(w, " \"'$[]*()") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = strings.ReplaceAll(w, "$", "$$")
	}
	return strings.Join(words, " ")
}
