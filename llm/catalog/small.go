package catalog

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ReadSmall reads a file that others wrote and that is small by its nature: a regular one, of at most so many bytes.
// Reading a pipe or a device could wait or go on for ever.
func ReadSmall(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", filepath.Base(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s has more than %d bytes", filepath.Base(path), most)
	}
	return text, err
}
