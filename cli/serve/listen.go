package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/coreos/go-systemd/v22/activation"
)

// Listen opens what an address names: HOST:PORT, or unix:PATH for a socket that only this user may use. A socket that
// systemd hands over (socket activation) is taken instead.
func Listen(address string) (net.Listener, error) {
	handed, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("take systemd's socket: %w", err)
	}
	if len(handed) > 0 && handed[0] != nil {
		return handed[0], nil
	}
	path, isUnix := strings.CutPrefix(address, "unix:")
	if !isUnix {
		l, err := net.Listen("tcp", address)
		if errors.Is(err, syscall.EADDRINUSE) {
			err = fmt.Errorf("another program listens at %s: name another address with --listen, or port 0 for a free one",
				address)
		} else if err != nil {
			err = fmt.Errorf("listen: %w: --listen takes HOST:PORT of this machine, or unix:PATH", err)
		}
		return l, err
	}
	if is, err := os.Stat(path); path == "" || err == nil && is.Mode().Type() != fs.ModeSocket {
		return nil, fmt.Errorf("listen: %q is no socket: --listen takes unix:PATH of one, or of what is not there", path)
	}
	// A socket on which nobody listens any more is what a killed server left.
	if c, err := net.Dial("unix", path); err == nil {
		return nil, errors.Join(fmt.Errorf("listen: another server has %s", path), c.Close())
	} else if errors.Is(err, syscall.ECONNREFUSED) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("listen: %w", err)
		}
	}
	before := syscall.Umask(0o077)
	l, err := net.Listen("unix", path)
	syscall.Umask(before)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

// OnlyHere reports whether an address is reached from this machine alone.
func OnlyHere(a net.Addr) bool {
	tcp, is := a.(*net.TCPAddr)
	return !is || tcp.IP.IsLoopback()
}
