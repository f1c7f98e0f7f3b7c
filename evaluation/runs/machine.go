package runs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"runtime"

	"nl2sql/llm"
	"nl2sql/runner/files"
)

// FileHash is the SHA-256 of a file, such as a model, also one that lies within another; progress is called with the
// share that is done, and may be nil.
func FileHash(ctx context.Context, place llm.Place, progress func(done float64)) (string, error) {
	f, in, err := place.Open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	h, done := sha256.New(), int64(0)
	for {
		n, err := io.CopyN(h, in, 64<<20)
		if done += n; progress != nil {
			progress(float64(done) / float64(in.Size()))
		}
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", fmt.Errorf("read %s: %w", place.Path, err)
		}
	}
}

// Machine says what kind of machine this is, and not which: its processor and the number of its cores.
func Machine() string { return fmt.Sprintf("%s, %d cores", Processor(), runtime.NumCPU()) }

// Processor names it, or the architecture where nobody tells.
func Processor() string { return cmp.Or(files.Field(Processors, "model name"), runtime.GOARCH) }

// Processors is the file in which Linux tells of them.
const Processors = "/proc/cpuinfo"
