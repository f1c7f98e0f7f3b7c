package dump

import (
	"regexp"
	"strings"
)

// mode is what a script's SQL_MODE says about quotes. The zero value is MySQL's default.
type mode struct {
	names     bool // ANSI_QUOTES: "x" is a name
	noEscapes bool // NO_BACKSLASH_ESCAPES: a backslash in a text is one
	zero      bool // NO_AUTO_VALUE_ON_ZERO: 0 is no next number
	pipes     bool // PIPES_AS_CONCAT: || is CONCAT
}

// others are modes that stand for ANSI_QUOTES and PIPES_AS_CONCAT, among more.
var others = regexp.MustCompile(`(?i)\b(ANSI|DB2|MAXDB|MSSQL|ORACLE|POSTGRESQL)\b`)

// modeOf is the mode that a value of SQL_MODE sets.
func modeOf(value string) mode {
	has := func(name string) bool { return strings.Contains(strings.ToUpper(value), name) }
	other := others.MatchString(value)
	return mode{names: other || has("ANSI_QUOTES"), noEscapes: has("NO_BACKSLASH_ESCAPES"),
		zero: has("NO_AUTO_VALUE_ON_ZERO"), pipes: other || has("PIPES_AS_CONCAT")}
}

// escapes says that a backslash takes the character behind it along, inside quotes of this kind.
func (m mode) escapes(quote byte) bool {
	return quote != '`' && !m.noEscapes && !(m.names && quote == '"')
}

// plain writes a statement with the quotes of MySQL's default.
func (m mode) plain(text string) string {
	if !m.names && !m.noEscapes || !strings.ContainsAny(text, "\"\\") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	for i := 0; i < len(text); {
		quote := text[i]
		if quote != '\'' && quote != '"' && quote != '`' {
			b.WriteByte(quote)
			i++
			continue
		}
		end := m.closing(text, i)
		part := text[i+1 : max(i+1, end-1)]
		switch {
		case quote == '"' && m.names:
			name := strings.ReplaceAll(part, `""`, `"`)
			b.WriteString("`" + strings.ReplaceAll(name, "`", "``") + "`")
		case quote != '`' && m.noEscapes:
			b.WriteByte(quote)
			b.WriteString(strings.ReplaceAll(part, `\`, `\\`))
			b.WriteByte(quote)
		default:
			b.WriteString(text[i:end])
		}
		i = end
	}
	return b.String()
}

// concats says that a statement joins texts with ||, outside of quotes.
func (m mode) concats(text string) bool {
	for i := 0; m.pipes && i < len(text); i++ {
		switch {
		case text[i] == '\'' || text[i] == '"' || text[i] == '`':
			i = mode{}.closing(text, i) - 1
		case strings.HasPrefix(text[i:], "||"):
			return true
		}
	}
	return false
}

// closing is the offset behind the quotes that begin at i.
func (m mode) closing(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && m.escapes(quote):
			i++
		case text[i] == quote && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// unwrapped takes the marks of executable comments away, and leaves what they hold: /*!50001 CREATE */ /*!50013
// DEFINER=… */ /*!50001 VIEW … */.
func unwrapped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"' || c == '`':
			end := mode{}.closing(text, i)
			b.WriteString(text[i:end])
			i = end
		case strings.HasPrefix(text[i:], "/*!"):
			for i += 3; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			}
			b.WriteByte(' ')
		case strings.HasPrefix(text[i:], "*/"):
			b.WriteByte(' ')
			i += 2
		default:
			b.WriteByte(c)
			i++
		}
	}
	return strings.TrimSpace(b.String())
}
