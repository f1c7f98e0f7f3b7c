//go:build !linux

package local

import (
	"context"
	"errors"
	"io"
)

// Options say what Start runs.
type Options struct {
	Engine   string
	Database string
	Load     io.Reader
	Dir      string
	Log      func(line string)
}

// Server is a running private server.
type Server struct{}

// Start refuses: only Linux ends a child with its parent.
func Start(context.Context, Options) (*Server, error) {
	return nil, errors.New("local: a private server needs Linux; give --db the name of a running one")
}

func (*Server) DSN() string      { return "" }
func (*Server) AdminDSN() string { return "" }
func (*Server) Close() error     { return nil }

// Find finds none.
func Find(context.Context, string) (version string, err error) {
	return "", errors.New("local: a private server needs Linux")
}
