package assets

import (
	_ "embed"
	"fmt"
)

//go:embed data/wordnet.txt.zst
var wordNet []byte

// WordNet is what was cut from Princeton's WordNet 3.0 (data/SOURCES.md); sqlcheck/words reads it.
func WordNet() (string, error) {
	text, err := unpack(wordNet)
	if err != nil {
		return "", fmt.Errorf("assets: WordNet: %w", err)
	}
	return string(text), nil
}
