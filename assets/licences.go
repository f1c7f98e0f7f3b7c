package assets

import (
	_ "embed"
	"fmt"
)

//go:embed licences.txt.zst
var licences []byte

// Licences are the texts of the licences of nl2sql and of all that is linked into a release: go run ./scripts/dist
// licences writes them.
func Licences() (string, error) {
	text, err := unpack(licences)
	if err != nil {
		return "", fmt.Errorf("assets: licences: %w", err)
	}
	return string(text), nil
}
