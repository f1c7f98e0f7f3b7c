package runner

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
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
	name, after, _ := strings.Cut(dsn[strings.LastIndexByte(dsn, '/')+1:], "?")
	switch {
	case !strings.Contains(dsn, "/"):
		return bad("the slash before the database is missing")
	case strings.Contains(dsn, "://"):
		return bad("it is not a URL")
	case strings.Contains(name, ":"), strings.Contains(name+after, "@"):
		// part of a password, if the rest was forgotten
		return bad("a colon in the database's name must be written as %%3A, an at sign after the slash as %%40")
	case name == "":
		return bad("it names no database after the slash")
	}
	for param := range strings.SplitSeq(after, "&") {
		if key, value, _ := strings.Cut(param, "="); key != "" {
			if reason := wrongParam(key, value); reason != "" {
				return nil, &UsageError{fmt.Sprintf("data source name: %s; it should look like %s", reason, exampleDSN)}
			}
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
	cfg.ParseTime = false // dates and times are texts
	cfg.Logger = &mysql.NopLogger{}
	cfg.Timeout = cmp.Or(cfg.Timeout, connectTime)
	return cfg, cfg.Apply(mysql.Charset("utf8mb4", ""))
}

// dsnReasons say in our words what the driver says about a name.
var dsnReasons = map[string]string{
	"invalid DSN: did you forget to escape a param value?": "there is text between the address and the slash; is a slash in a parameter not written as %2F?",
	"invalid DSN: network address not terminated":          "the bracket after the address is missing",
	"invalid DSN: missing the slash":                       "the slash before the database is missing",
	"default addr for network":                             "the address must be written as tcp(host:port) or unix(/path/to/socket)",
	"invalid value / unknown config name":                  "the parameter tls names no known setting; take true, skip-verify or preferred",
	"invalid value / unknown server pub key name":          "the parameter serverPubKey names no known key",
	"invalid dbname":                                       "the database's name is not escaped rightly",
}

// UsageError says which parameter of a data source name nl2sql does not take, or not with this value.
type UsageError struct{ text string }

func (e *UsageError) Error() string { return e.text }

// params are what a data source name may set, and what the value must look like once it is unescaped. Everything else
// is refused: what changes how a session reads text would defeat the checker (see settings), and of what else a
// variable might do nobody can be sure. Errors quote no value, and no other name: either may be part of a password.
var params = map[string]*regexp.Regexp{
	// the driver's, about the connection
	"timeout": duration, "readTimeout": duration, "writeTimeout": duration,
	"maxAllowedPacket": regexp.MustCompile(`^[0-9]{1,10}$`),
	"tls":              anything, "serverPubKey": anything, "connectionAttributes": anything,
	"allowCleartextPasswords": boolean, "allowFallbackToPlaintext": boolean, "allowNativePasswords": boolean,
	"allowOldPasswords": boolean, "checkConnLiveness": boolean, "compress": boolean,
	// the driver's, of no effect here
	"clientFoundRows": boolean, "parseTime": boolean, "loc": anything, "timeTruncate": duration,
	// the driver's that would let more than the checked query through, or write its answer otherwise
	"multiStatements": no, "allowAllFiles": no, "interpolateParams": no, "columnsWithAlias": no,
	"rejectReadOnly": no, // it would turn 1290 and 1792, refusals of a query, into a lost connection
	"charset":        regexp.MustCompile(`^utf8mb4$`),
	// session variables: what the clock, names of days and shares look like, and plans
	"time_zone": variable, "lc_time_names": variable, "default_week_format": variable,
	"div_precision_increment": variable,
	"big_tables":              variable, "optimizer_switch": variable, "wsrep_sync_wait": variable,
}

var (
	anything = regexp.MustCompile(``)
	boolean  = regexp.MustCompile(`^(?i:true|false|0|1)$`)
	no       = regexp.MustCompile(`^(?i:false|0)$`)
	duration = regexp.MustCompile(`^([0-9]{1,9}(\.[0-9]{1,9})?(ns|us|ms|s|m|h)){1,4}$`)
	// charsetVariable is a name that no password has by chance.
	charsetVariable = regexp.MustCompile(`^(character_set|collation)_[a-z]{1,20}$`)
	// variable is one literal: the driver writes it into a SET as it is.
	variable = regexp.MustCompile(`^('[A-Za-z0-9_+:/=,. -]*'|[A-Za-z0-9_.+-]+)$`)
)

// wrongParam says what is wrong with a parameter; "" is nothing.
func wrongParam(key, escaped string) string {
	form, known := params[key]
	if !known {
		for _, v := range settings() {
			if strings.EqualFold(key, v.Name) {
				return "the parameter " + v.Name + " is one that nl2sql sets itself"
			}
		}
		if lower := strings.ToLower(key); lower == "collation" || charsetVariable.MatchString(lower) {
			return "the parameter " + lower +
				" would make the server read other text than was checked; nl2sql speaks utf8mb4"
		}
		return "a parameter after ? is none that nl2sql takes; of session variables these are " + sessionParams
	}
	value, err := url.QueryUnescape(escaped)
	switch {
	case err == nil && form.MatchString(value):
		return ""
	case key == "charset":
		return "the parameter charset must be utf8mb4, or absent"
	case form == no:
		return "the parameter " + key + " must be false, or absent"
	}
	return "the value of the parameter " + key + " cannot be read"
}

const sessionParams = "time_zone, lc_time_names, default_week_format, div_precision_increment, big_tables, optimizer_switch and wsrep_sync_wait"
