package runner

import (
	"strings"

	"github.com/go-sql-driver/mysql"
)

// masked stands where a password stood.
const masked = "***"

// Redact writes a --db value so that it can be printed: a data source name becomes user:***@net(address)/database,
// its parameters left out. What is not well-formed loses everything that might be a password.
func Redact(db string) string {
	if name, ok := strings.CutPrefix(db, "embedded:"); ok && !strings.ContainsAny(name, ":@") {
		return db
	}
	if !strings.ContainsAny(db, ":@/") {
		return db // embedded, local
	}
	slash := strings.LastIndexByte(db, '/') + 1
	name, _, _ := strings.Cut(db[slash:], "?")
	if cfg, err := parseDSN(db[:slash] + name); err == nil {
		return redacted(cfg)
	}
	user, _, _ := strings.Cut(db, ":")
	user, _, _ = strings.Cut(user, "@")
	user, _, _ = strings.Cut(user, "/")
	return user + ":" + masked
}

func redacted(cfg *mysql.Config) string {
	var b strings.Builder
	if cfg.User != "" {
		b.WriteString(cfg.User)
		if cfg.Passwd != "" {
			b.WriteString(":" + masked)
		}
		b.WriteByte('@')
	}
	b.WriteString(cfg.Net + "(" + cfg.Addr + ")/" + cfg.DBName)
	return b.String()
}

// shortPassword is the length in bytes below which a password is not searched for in the texts of others:
// replacing every "a" of a message would only spell the password out.
const shortPassword = 3

// scrub removes a password from a text that somebody else wrote.
func scrub(text, password string) string {
	if len(password) < shortPassword {
		return text
	}
	return strings.ReplaceAll(text, password, masked)
}
