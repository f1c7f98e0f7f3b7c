package types

import (
	"cmp"
	"strings"
)

// Collation is how texts compare. The names are those that SQLite sees.
type Collation string

// The collations that SQLite is told.
const (
	CollAI      Collation = "my_ai"      // utf8mb4_0900_ai_ci: case and accents do not count, trailing blanks do
	CollUnicode Collation = "my_unicode" // utf8*_unicode_ci: as CollAI, but trailing blanks do not count
	// CollUnicode520 is utf8*_unicode_520_ci: as CollUnicode, by a later version of Unicode.
	CollUnicode520 Collation = "my_unicode_520"

	CollGeneral Collation = "my_general" // utf8*_general_ci
	CollSwedish Collation = "my_swedish" // latin1_swedish_ci
	CollBin     Collation = "my_bin"     // *_bin of the older character sets: trailing blanks do not count
	CollNarrow  Collation = "my_narrow"  // *_bin of a character set that Unicode holds
	CollNone    Collation = "my_none"    // of several, which nothing compares with: sorted by CollBin
	CollBytes   Collation = "my_bytes"   // binary, utf8mb4_0900_bin
	// CollText is CollBin of a text that JSON gives, which gives way to a column's collation but not to a literal's.
	CollText Collation = "my_text"

	CollJSON Collation = "my_json" // of JSON values: 1 and 1.0 are equal
)

// Collations by the name that a dump declares.
var Collations = map[string]Collation{
	"utf8mb4_0900_ai_ci": CollAI,
	"utf8mb4_unicode_ci": CollUnicode, "utf8_unicode_ci": CollUnicode, "utf8mb3_unicode_ci": CollUnicode,
	"utf8mb4_unicode_520_ci": CollUnicode520, "utf8_unicode_520_ci": CollUnicode520,
	"utf8mb3_unicode_520_ci": CollUnicode520,
	"utf8mb4_general_ci":     CollGeneral, "utf8_general_ci": CollGeneral, "utf8mb3_general_ci": CollGeneral,
	"ascii_general_ci": CollGeneral, "ucs2_general_ci": CollGeneral,
	"latin1_swedish_ci": CollSwedish,
	"utf8mb4_bin":       CollBin, "utf8_bin": CollBin, "utf8mb3_bin": CollBin, "latin1_bin": CollNarrow,
	"ascii_bin":        CollNarrow,
	"utf8mb4_0900_bin": CollBytes, "binary": CollBytes,
}

// CharsetDefault is the collation of a character set that is declared without one, in MySQL 8.
var CharsetDefault = map[string]string{
	"utf8mb4": "utf8mb4_0900_ai_ci", "utf8": "utf8_general_ci", "utf8mb3": "utf8_general_ci",
	"latin1": "latin1_swedish_ci",
	"ascii":  "ascii_general_ci", "ucs2": "ucs2_general_ci", "binary": "binary",
}

// FindCollation finds a declared collation, or that of a declared character set; nothing declared is what is around
// it. Of one that is not known it finds the nearest, and says what that stands for: "latin2_czech_cs as utf8mb4_bin".
func FindCollation(charset, name string, inherited Collation) (c Collation, near string) {
	if name == "" && charset == "" {
		return inherited, ""
	}
	name = cmp.Or(name, CharsetDefault[charset], charset+"_general_ci")
	if c, ok := Collations[name]; ok {
		return c, ""
	}
	like := "utf8mb4_unicode_ci"
	switch {
	case strings.HasSuffix(name, "_bin"):
		return CollBin, ""
	case strings.HasSuffix(name, "_cs"):
		like = "utf8mb4_bin"
	case strings.Contains(name, "_0900_"):
		like = "utf8mb4_0900_ai_ci"
	case strings.HasSuffix(name, "_general_ci"):
		like = "utf8mb4_general_ci"
	}
	return Collations[like], name + " as " + like
}

// OrDefault is the connection's collation for texts that have none of their own.
func (c Collation) OrDefault() Collation {
	if c == "" {
		return CollAI
	}
	return c
}

// Binary says that case and accents count.
func (c Collation) Binary() bool { return c == CollBytes || c.Padded() }

// Padded says that case and accents count and trailing blanks do not.
func (c Collation) Padded() bool {
	return c == CollBin || c == CollText || c == CollNarrow || c == CollNone
}
