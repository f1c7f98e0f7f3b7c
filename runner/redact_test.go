package runner

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

func TestRedact(t *testing.T) {
	tests := []struct{ in, want string }{
		{"embedded", "embedded"},
		{"local", "local"},
		{"embedded:classicmodels", "embedded:classicmodels"},
		{"root@tcp(h:1)/d", "root@tcp(h:1)/d"},
		{"root:secret@tcp(h:1)/d", "root:***@tcp(h:1)/d"},
		{"root:secret@tcp(h:1)/d?tls=true&x=secret", "root:***@tcp(h:1)/d"},
		{"root:se:cr@et/x@unix(/s)/d", "root:***@unix(/s)/d"},
		{"root:secret@/d", "root:***@tcp(127.0.0.1:3306)/d"},
		{"root:secret@host:1/d", "root:***"}, // tcp() is missing
		{"root:secret", "root:***"},
		{"mysql://root:secret@h/d", "mysql:***"},
		{"root:secret@tcp(h)/", "root:***"},
		{"embedded:x:secret@h", "embedded:***"},
	}
	for _, tt := range tests {
		must.Equal(t, Redact(tt.in), tt.want, "Redact", tt.in)
	}
}

func TestParseDSNErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", "the slash"},
		{"root:secret@tcp(h:1)", "the slash"},
		{"mysql://root:secret@h/d", "not a URL"},
		{"root:secret@tcp(h:1)/", "no database"},
		{"root:secret@tcp(h:1)/?tls=true", "no database"},
		{"root:secret@h:1/d", "tcp(host:port)"},
		{"root:secret@tcp(h:1/d", "bracket"},
		{"root:secret@tcp(h:1)x/d", "between the address and the slash"},
		{"root:secret@tcp(h:1)/d?timeout=secret", "parameter timeout"},
		{"root:secret@tcp(h:1)/d?maxAllowedPacket=secret", "parameter maxAllowedPacket"},
		{"root:secret@tcp(h:1)/d?strict=1", "none that nl2sql takes"},
		{"root:secret@tcp(h:1)/d?parseTime=secret", "parameter parseTime"},
		{"root:secret@tcp(h:1)/d?tls=secret", "tls"},
		{"root:secret@tcp(h:1)/d?serverPubKey=secret", "serverPubKey"},
		{"root:secret@tcp(h:1)/d?loc=secret", "value of a parameter"},
		{"root:secret@tcp(h:1)/d?global.x=secret", "none that nl2sql takes"},
		{"root:secret@tcp(h:1)/d%zzsecret", "escaped"},
	}
	for _, tt := range tests {
		_, err := parseDSN(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), exampleDSN) ||
			strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("parseDSN(%q): %v, want %q", tt.in, err, tt.want)
		}
	}
}

// Wherever it stands, and however the rest is broken, the password is in no text of ours and nothing panics.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{"root:%@tcp(127.0.0.1:1)/d", "root:%@tcp(h)/d?timeout=%", "root:%", "%",
		"u:a/%?timeout=b@tcp(h)", "mysql://root:%@h/d", "u:%@h:3306/d", "u:x@y%/z@unix(/s)/d?strict=true",
		"u:%@tcp(h)/d?tls=%&loc=%"} {
		f.Add(s)
	}
	const password = "Zq7hunter2"
	f.Fuzz(func(t *testing.T, pattern string) {
		user, rest, found := strings.Cut(pattern, ":")
		if !found || strings.Contains(user, "%") {
			return // a name without a colon has no password
		}
		// The password is in what stands between the first colon and the last at sign, the whole rest if there is none.
		where := rest
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			where = rest[:at]
		}
		if where == rest && strings.ContainsAny(user, "@(") {
			return // the colon is that of a port
		}
		dsn := user + ":" + strings.ReplaceAll(where, "%", password) + rest[len(where):]
		if strings.Contains(user, password) || strings.Contains(rest[len(where):], password) {
			return
		}
		if got := Redact(dsn); strings.Contains(got, password) {
			t.Errorf("Redact(%q) = %q", dsn, got)
		}
		cfg, err := parseDSN(dsn)
		if err != nil {
			must.Be(t, !strings.Contains(err.Error(), password), "parseDSN", dsn, err)
			return
		}
		for _, text := range []string{redacted(cfg), explain("connect to", redacted(cfg), cfg.Passwd,
			&serverError{text: "dial " + cfg.Passwd}).Error()} {
			must.Be(t, !strings.Contains(text, password), dsn, text)
		}
	})
}
