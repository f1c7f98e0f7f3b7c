package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"

	"github.com/alecthomas/kong"

	"nl2sql/cli/serve"
	"nl2sql/loop/desk"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/runner/render"
)

type serveCmd struct {
	Listen      string   `help:"HOST:PORT, or unix:PATH for a socket of this user alone (${default}). A socket that systemd hands over is taken instead." default:"127.0.0.1:8765" placeholder:"ADDRESS"`
	Host        []string `help:"Name beside localhost that requests may call this server by." placeholder:"NAME"`
	TokenFile   string   `help:"File with the token that requests must bring, or a line each for several clients. Without it one is made and printed where other machines reach the server, and elsewhere none is asked for." placeholder:"FILE"`
	AllowOrigin []string `help:"Pages elsewhere that may ask: https://HOST[:PORT] (none)." placeholder:"ORIGIN"`
	Cert        string   `help:"Certificate of TLS, in PEM; with --key." placeholder:"FILE"`
	Key         string   `help:"Its key." placeholder:"FILE"`
	Queue       int      `help:"Questions that may wait; more are told to come again (${default})." default:"64" placeholder:"N" range:"0..100000"`
	PerClient   int      `help:"Requests of one client, by its token or its address, that may be at work or wait (${default}); 0 is unbounded." default:"32" placeholder:"N" range:"0..100000"`

	Open bool `help:"Open the page in the browser of this desktop."`

	AccessLog    string `help:"What is written of each request on stderr: text, json or none (${default})." enum:"text,json,none" default:"text" placeholder:"FORMAT"`
	LogQuestions bool   `help:"Write the questions there too."`
	History      string `help:"File that keeps the last questions with their SQL, for /api/history; this user alone may read it (none)." placeholder:"FILE"`
	DoorFlags
}

// Help tells what the flags do not.
func (serveCmd) Help() string {
	return "--db may be given several times, each with a name of its own: --db shop=embedded:shop --db hr=DSN. " +
		"Questions name their database; the first is meant where they do not. " +
		"--parallel questions are answered at once. " +
		"SIGTERM and Ctrl-C let what is being answered end."
}

// Validate makes wrong values usage errors.
func (c *serveCmd) Validate(given *kong.Context) error {
	if err := c.DoorFlags.Validate(given); err != nil { // kong would ask it after this
		return err
	}
	for _, origin := range c.AllowOrigin {
		if err := serve.CheckOrigin(origin); err != nil {
			return fmt.Errorf("--allow-origin: %w", err)
		}
	}
	if (c.Cert == "") != (c.Key == "") {
		return errors.New("--cert and --key go together")
	}
	return nil
}

// Run opens everything, and serves until a signal.
func (c *serveCmd) Run(ctx context.Context, con *console, open *opened) error {
	src, method, err := c.prepared(ctx, con, open)
	if err != nil {
		return err
	}
	d, err := c.desk(ctx, con, open)
	if err != nil {
		return err
	}
	d.Waiting = c.Queue
	for i, one := range d.Databases {
		d.Databases[i].Doubts = func() []string { return embedded.FreshDoubts(one.Backend.Source) }
	}
	s := serve.Server{
		Desk: d, Model: cmp.Or(src.file.Name, c.Model), Version: revision(),
		PerClient: c.PerClient, Origins: c.AllowOrigin, Hosts: c.Host,
		Log: c.log(), LogsTexts: c.LogQuestions,
	}
	if s.Tokens, err = c.tokens(); err == nil {
		s.TLS, err = c.tls()
	}
	if err != nil {
		return err
	}
	if c.History != "" {
		if s.History, err = desk.OpenHistory(c.History); err != nil {
			return brief(err)
		}
		open.add(s.History.Close)
	}
	l, err := serve.Listen(c.Listen) // before the weights: a port that is taken is told at once
	if err != nil {
		return err
	}
	open.add(func() error { // Serve closes it, and a failure before that must
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			return err
		}
		return nil
	})
	if s.Asker, err = c.asker(ctx, con, open, src, method); err != nil {
		return err
	}
	d.Together = c.Parallel
	if at := c.tell(con, l, &s); c.Open && l.Addr().Network() != "unix" {
		openPage(con, at)
	}
	return s.Serve(ctx, l)
}

// openPage shows a page in the browser that the desktop prefers. Where there is none, its address was printed.
func openPage(con *console, url string) {
	for _, opener := range []string{"xdg-open", "open"} {
		at, err := exec.LookPath(opener)
		if err != nil {
			continue
		}
		browser := exec.Command(at, url)
		if err := browser.Start(); err != nil {
			con.warn(fmt.Sprintf("%s: %s", opener, err))
			return
		}
		go browser.Wait() // it may live as long as the browser
		return
	}
	con.note("no browser was found: open " + url)
}

// tokens reads --token-file.
func (c *serveCmd) tokens() ([]string, error) {
	if c.TokenFile == "" {
		return nil, nil
	}
	text, err := files.Read(c.TokenFile, files.Small)
	if err != nil {
		return nil, brief(err)
	}
	tokens := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, token := range tokens {
		if tokens[i] = strings.TrimSpace(token); len(tokens[i]) < leastToken || strings.ContainsAny(tokens[i], " \t") {
			return nil, fmt.Errorf("%s: a token is one word of %d characters or more", c.TokenFile, leastToken)
		}
	}
	return tokens, nil
}

// tls reads --cert and --key; nil without them.
func (c *serveCmd) tls() (*tls.Config, error) {
	if c.Cert == "" {
		return nil, nil
	}
	cert, err := files.Read(c.Cert, files.Small)
	if err != nil {
		return nil, brief(err)
	}
	key, err := files.Read(c.Key, files.Small)
	if err != nil {
		return nil, brief(err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("--cert and --key: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}, nil
}

// leastToken is the length below which tokens are guessed.
const leastToken = 16

// log is where requests are written.
func (c *serveCmd) log() *slog.Logger {
	switch c.AccessLog {
	case "json":
		return slog.New(slog.NewJSONHandler(os.Stderr, nil))
	case "none":
		return nil
	}
	return slog.New(slog.NewTextHandler(os.Stderr, nil))
}

// tell says where the server is, returns it, and makes the token that other machines need.
func (c *serveCmd) tell(con *console, l net.Listener, s *serve.Server) (at string) {
	at = "unix:" + l.Addr().String()
	if l.Addr().Network() == "unix" {
		s.AnyHost = true
	} else if at = "http://" + l.Addr().String(); s.TLS != nil {
		at = "https://" + l.Addr().String()
	}
	con.note(fmt.Sprintf("serving %s at %s", render.Visible(strings.Join(s.Names(), ", ")), at))
	if serve.OnlyHere(l.Addr()) {
		return at
	}
	if len(s.Tokens) == 0 {
		s.Tokens = []string{rand.Text()}
		con.note("token: " + s.Tokens[0])
	}
	if s.TLS == nil {
		con.warn("texts and the token cross the network as they are: --cert and --key give TLS")
	}
	return at
}
