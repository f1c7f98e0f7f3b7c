package embedded

import (
	"archive/zip"
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// unpack reads a text that may be compressed or in UTF-16, which its first bytes tell, as UTF-8 without a byte order
// mark. Sources: RFC 1952, RFC 8878, RFC 2781.
func unpack(r io.Reader) (io.ReadCloser, error) {
	in, err := decompress(r)
	if err != nil {
		return nil, err
	}
	text := bufio.NewReaderSize(in, 1<<16)
	first, err := text.Peek(3)
	if err != nil && err != io.EOF {
		return nil, errors.Join(err, in.Close())
	}
	switch {
	case string(first) == "\ufeff":
		_, err = text.Discard(3)
		return readCloser{text, in}, err
	case len(first) >= 2 && (string(first[:2]) == "\xff\xfe" || string(first[:2]) == "\xfe\xff"):
		return readCloser{transform.NewReader(text, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()),
			in}, nil
	}
	return readCloser{text, in}, nil
}

// readCloser closes what is read from behind it.
type readCloser struct {
	io.Reader
	io.Closer
}

// What a compressed file may grow to: any number of bytes up to growsFreely, and beyond them growsTimes its own. Dumps
// grow some ten times, a file of one letter a thousand times.
const (
	growsFreely = 1 << 30
	growsTimes  = 100
)

func decompress(r io.Reader) (io.ReadCloser, error) {
	packed := &counter{Reader: r}
	in := bufio.NewReaderSize(packed, 1<<16)
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
		return &growing{ReadCloser: z, packed: packed}, nil
	case string(first) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
		if err != nil {
			return nil, fmt.Errorf("read the zstd file: %w", err)
		}
		return &growing{ReadCloser: z.IOReadCloser(), packed: packed}, nil
	}
	return io.NopCloser(in), nil
}

// growing is a reader of a compressed file that fails when it has grown too much.
type growing struct {
	io.ReadCloser
	packed *counter
	n      int64
}

// Read implements io.Reader.
func (g *growing) Read(b []byte) (int, error) {
	n, err := g.ReadCloser.Read(b)
	if g.n += int64(n); g.tooMuch() {
		return 0, fmt.Errorf("%d MiB of the compressed file grow to more than %d MiB: if that is right, unpack it first",
			g.packed.n>>20, g.n>>20)
	}
	return n, err
}

func (g *growing) tooMuch() bool { return g.n > growsFreely && g.n > growsTimes*g.packed.n }

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

// unzip writes the files of a zip file side by side into a folder: sales/2024/may.csv is 2024_may.csv where all lie in
// sales. It says what it leaves out, with the reason.
func unzip(ctx context.Context, file, dir string) (left []string, err error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	defer context.AfterFunc(ctx, func() { z.Close() })()
	shared := ""
	z.File = slices.DeleteFunc(z.File, func(f *zip.File) bool {
		if !utf8.ValidString(f.Name) {
			f.Name, _ = charmap.CodePage850.NewDecoder().String(f.Name) // it has a character for each byte
		}
		isFolder := f.Mode().IsDir()
		f.Name = path.Clean("/" + strings.ReplaceAll(f.Name, `\`, "/"))
		if isFolder || strings.HasPrefix(f.Name, "/__MACOSX/") || path.Base(f.Name)[0] == '.' {
			return true
		}
		for shared = cmp.Or(shared, f.Name); shared == f.Name || !strings.HasPrefix(f.Name, shared); {
			shared = shared[:strings.LastIndexByte(shared[:len(shared)-1], '/')+1]
		}
		return false
	})
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	grows := &growing{packed: &counter{n: info.Size()}}
	for _, f := range z.File {
		f.Name = strings.ReplaceAll(strings.TrimPrefix(f.Name, shared), "/", "_")
		err := unzipFile(f, filepath.Join(dir, f.Name), grows)
		if ctx.Err() != nil || grows.tooMuch() {
			return nil, cmp.Or(ctx.Err(), err)
		}
		if err != nil {
			left = append(left, f.Name+": "+err.Error())
		}
	}
	return left, nil
}

// unzipFile writes one, or nothing.
func unzipFile(f *zip.File, into string, grows *growing) (err error) {
	if !f.Mode().IsRegular() || f.Flags&1 != 0 {
		return errors.New("it is encrypted, or a link: unpack it first")
	}
	if grows.ReadCloser, err = f.Open(); err != nil {
		return err
	}
	defer grows.Close()
	out, err := os.OpenFile(into, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return errors.New("it is there twice, or its name is too long")
	}
	if _, err = io.Copy(out, grows); err != nil {
		err = errors.Join(err, os.Remove(into))
	}
	return errors.Join(err, out.Close())
}
