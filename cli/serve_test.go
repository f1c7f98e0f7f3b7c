package cli

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nl2sql/scripts/must"
)

// clientOf asks a server that listens on a socket, and waits until there is one.
func clientOf(socket string) *http.Client {
	var dialer net.Dialer
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _,
		_ string) (net.Conn, error) {
		for {
			conn, err := dialer.DialContext(ctx, "unix", socket)
			if err == nil || ctx.Err() != nil {
				return conn, err
			}
			time.Sleep(time.Millisecond)
		}
	}}}
}

// askServer asks a question there, and returns when the answer is whole.
func askServer(ctx context.Context, socket, question string) error {
	client := clientOf(socket)
	defer client.CloseIdleConnections()
	body := strings.NewReader(fmt.Sprintf(`{"question":%q}`, question))
	req, err := http.NewRequestWithContext(ctx, "POST", "http://localhost/api/ask", body)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// healthy waits until the server on a socket answers, which it does when all that it needs is open.
func healthy(t *testing.T, socket string) {
	t.Helper()
	client := clientOf(socket)
	defer client.CloseIdleConnections()
	for {
		resp, err := client.Get("http://localhost/healthz")
		if err == nil {
			resp.Body.Close()
		}
		if err == nil && resp.StatusCode == http.StatusOK {
			return
		}
		must.Do(t, t.Context().Err())
		time.Sleep(time.Millisecond)
	}
}

// saying is what a command says while it runs.
type saying struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *saying) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// match waits until it says what the pattern finds, and returns its group.
func (s *saying) match(t *testing.T, pattern string) string {
	t.Helper()
	find := regexp.MustCompile(pattern)
	for end, ok := t.Deadline(); ; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		text := s.text.String()
		s.mu.Unlock()
		if m := find.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		must.Have(t, !ok || time.Until(end) >= 10*time.Second, "never said", pattern, text)
	}
}

// startServe starts a command, whose end is awaited by stop: SIGTERM, and exit code 0.
func startServe(t *testing.T, cmd *exec.Cmd) (said *saying, stop func()) {
	t.Helper()
	said = &saying{}
	cmd.Stderr = said
	cmd.Env = append(os.Environ(), "NL2SQL_CACHE="+t.TempDir())
	must.Do(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() }) // an error says that it has ended, as it should
	return said, func() {
		t.Helper()
		must.Do(t, cmd.Process.Signal(syscall.SIGTERM))
		must.Succeed(t, cmd.Wait(), said.text.String())
	}
}

// Where other machines reach it a server makes a token, and it has TLS where it has a certificate.
func TestServeElsewhere(t *testing.T) {
	dir := t.TempDir()
	cert, key, pool := certificate(t, dir)
	model := replay(t, "SELECT COUNT(*) FROM orders")
	for _, tt := range []struct {
		name, scheme string
		args         []string
	}{
		{"plain", "http", nil},
		{"TLS", "https", []string{"--cert", cert, "--key", key}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"serve", "--listen", "0.0.0.0:0", "--model", model}, tt.args...)
			said, stop := startServe(t, exec.Command("nl2sql", args...))
			port := said.match(t, `serving classicmodels at `+tt.scheme+`://\[::\]:(\d+)\n`)
			token := said.match(t, `token: (\w{26})\n`)
			if tt.scheme == "http" {
				said.match(t, `(warning): texts and the token cross the network as they are`)
			}
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
			defer client.CloseIdleConnections()
			for bearer, want := range map[string]int{"": 401, token + "x": 401, token: 200} {
				req, err := http.NewRequest("GET", tt.scheme+"://127.0.0.1:"+port+"/api/databases", nil)
				must.Do(t, err)
				req.Header.Set("Authorization", "Bearer "+bearer)
				resp, err := client.Do(req)
				must.Do(t, err)
				resp.Body.Close()
				must.Equal(t, resp.StatusCode, want, bearer, resp.Status)
			}
			stop()
		})
	}
}

// certificate makes one for 127.0.0.1.
func certificate(t *testing.T, dir string) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must.Do(t, err)
	is := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, is, is, &key.PublicKey, key)
	must.Do(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	must.Do(t, err)
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	certFile, keyFile, pool = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), x509.NewCertPool()
	pool.AppendCertsFromPEM(certPEM)
	for file, text := range map[string][]byte{
		certFile: certPEM, keyFile: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}),
	} {
		must.Do(t, os.WriteFile(file, text, 0o600))
	}
	return certFile, keyFile, pool
}

// A socket that systemd hands over is taken, whatever --listen says.
func TestServeActivation(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	must.Do(t, err)
	defer l.Close()
	file, err := l.File()
	must.Do(t, err)
	defer file.Close()
	cmd := exec.Command("sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"`, "sh", "nl2sql", "serve", "--model",
		replay(t, "SELECT COUNT(*) FROM orders"))
	cmd.ExtraFiles = []*os.File{file}
	said, stop := startServe(t, cmd)
	said.match(t, `serving classicmodels at unix:(`+regexp.QuoteMeta(socket)+`)\n`)
	must.Succeed(t, askServer(t.Context(), socket, "How many orders are there?"))
	said.match(t, `(outcome=answered)`)
	stop()
}
