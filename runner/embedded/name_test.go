package embedded

import (
	"testing"

	"nl2sql/scripts/must"
)

// A file names its database, whatever its name holds.
func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{"Mein Ordner (2).csv": "mein_ordner_2", "a/Shop.sql.gz": "shop",
		"Umsätze 2024.xlsx": "ums_tze_2024", "my-shop.csv": "my-shop"} {
		must.Same(t, NameOf(path), want)
	}
}
