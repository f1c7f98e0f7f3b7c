package assets

import (
	_ "embed"
	"fmt"
)

var (
	//go:embed licences.txt.zst
	licences []byte
	//go:embed data/wordnet.txt.zst
	wordNet []byte
)

// Licences are the texts of the licences of nl2sql and of all that is linked into a release: go run ./scripts/dist
// licences writes them.
func Licences() (string, error) { return unpacked("licences", licences) }

// WordNet is what was cut from Princeton's WordNet 3.0 (data/SOURCES.md); sqlcheck/words reads it.
func WordNet() (string, error) { return unpacked("WordNet", wordNet) }

func unpacked(what string, packed []byte) (string, error) {
	text, err := unpack(packed)
	if err != nil {
		return "", fmt.Errorf("assets: %s: %w", what, err)
	}
	return string(text), nil
}
