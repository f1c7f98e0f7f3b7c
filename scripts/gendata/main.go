// Command gendata writes the demo database: a MySQL script with the tables, keys and row counts of the
// well-known ClassicModels sample and rows of our own. The same seed gives the same bytes.
//
//	go run ./scripts/gendata            # rewrites assets/data/classicmodels.sql.zst
//	go run ./scripts/gendata -o -       # prints the script
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"
)

// seed of the committed file. Another one gives another company with the same row counts.
const seed = 20030106

func main() {
	out := flag.String("o", "assets/data/classicmodels.sql.zst", "file to write; - prints the script")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "gendata:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	script := Script(seed)
	if out == "-" {
		_, err := os.Stdout.Write(script)
		return err
	}
	packed, err := Pack(script)
	if err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644)
}

// Pack compresses a script. One worker and no options that depend on the machine: the bytes are reproducible.
func Pack(script []byte) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(script, nil), w.Close()
}
