package runner

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

const exampleDSN = "user:password@tcp(127.0.0.1:3306)/database"

// connectTime bounds connecting, the handshake included.
const connectTime = 10 * time.Second

// parseDSN reads a go-sql-driver data source name and fixes every setting that safety or canonical values depend on.
// Its errors quote nothing of the text, because any part of a malformed name may be the password.
func parseDSN(dsn string) (*mysql.Config, error) {
	bad := func(format string, args ...any) (*mysql.Config, error) {
		return nil, fmt.Errorf("data source name: %s; it should look like %s", fmt.Sprintf(format, args...), exampleDSN)
	}
	name, params, _ := strings.Cut(dsn[strings.LastIndexByte(dsn, '/')+1:], "?")
	switch {
	case !strings.Contains(dsn, "/"):
		return bad("the slash before the database is missing")
	case strings.Contains(dsn, "://"):
		return bad("it is not a URL")
	case strings.Contains(name, ":"), strings.Contains(name+params, "@"): // part of a password, if the rest was forgotten
		return bad("a colon in the database's name must be written as %%3A, an at sign after the slash as %%40")
	case name == "":
		return bad("it names no database after the slash")
	}
	for param := range strings.SplitSeq(params, "&") {
		key, value, _ := strings.Cut(param, "=")
		if key == "" {
			continue
		}
		kind, known := driverParams[key]
		if !known && !variableName.MatchString(key) {
			return bad("a parameter after ? names no setting")
		}
		var err error
		switch kind {
		case "duration":
			_, err = time.ParseDuration(value)
		case "number":
			_, err = strconv.Atoi(value)
		case "removed":
			err = errors.New("removed")
		}
		if err != nil {
			return bad("the value of the parameter %s cannot be read", key)
		}
	}
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		for text, reason := range dsnReasons {
			if strings.HasPrefix(err.Error(), text) {
				return bad("%s", reason)
			}
		}
		return bad("the value of a parameter cannot be read")
	}
	if cfg.Net != "tcp" && cfg.Net != "tcp4" && cfg.Net != "tcp6" && cfg.Net != "unix" {
		return bad("%s", dsnReasons["default addr for network"]) // without an @, the user and the password stand there
	}
	cfg.MultiStatements = false
	cfg.AllowAllFiles = false
	cfg.InterpolateParams = false
	cfg.ParseTime = false
	cfg.ColumnsWithAlias = false
	cfg.RejectReadOnly = false // it would turn 1290 and 1792, refusals of a query, into a lost connection
	cfg.Logger = &mysql.NopLogger{}
	cfg.Collation = ""
	if cfg.Timeout == 0 {
		cfg.Timeout = connectTime
	}
	if err := cfg.Apply(mysql.Charset("utf8mb4", "")); err != nil {
		return nil, err
	}
	return cfg, nil
}

// dsnReasons say in our words what the driver says about a name.
var dsnReasons = map[string]string{
	"invalid DSN: did you forget to escape a param value?":   "there is text between the address and the slash; is a slash in a parameter not written as %2F?",
	"invalid DSN: network address not terminated":            "the bracket after the address is missing",
	"invalid DSN: missing the slash":                         "the slash before the database is missing",
	"default addr for network":                               "the address must be written as tcp(host:port) or unix(/path/to/socket)",
	"invalid value / unknown config name":                    "the parameter tls names no known setting; take true, skip-verify or preferred",
	"invalid value / unknown server pub key name":            "the parameter serverPubKey names no known key",
	"invalid dbname":                                         "the database's name is not escaped rightly",
	"invalid bool value":                                     "the value of a parameter must be true or false",
	"invalid DSN: interpolateParams can not be used with un": "interpolateParams cannot be used with this collation",
}

// driverParams are the driver's own parameters whose values it would quote in an error, or on which it panics.
var driverParams = map[string]string{
	"timeout": "duration", "readTimeout": "duration", "writeTimeout": "duration", "timeTruncate": "duration",
	"maxAllowedPacket": "number", "strict": "removed",
}

// variableName is what every other parameter looks like: the driver's, or a session variable that it sets.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
