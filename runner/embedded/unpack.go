package embedded

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// unpack reads a script that may be compressed, which its first bytes tell. Sources: RFC 1952, RFC 8878.
func unpack(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	first, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case len(first) >= 2 && string(first[:2]) == "\x1f\x8b":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("read the gzip file: %w", err)
		}
		return z, nil
	case string(first) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
		if err != nil {
			return nil, fmt.Errorf("read the zstd file: %w", err)
		}
		return z.IOReadCloser(), nil
	}
	return io.NopCloser(in), nil
}

// counter counts the bytes that were read from it.
type counter struct {
	io.Reader
	n int64
}

// Read implements io.Reader.
func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}
