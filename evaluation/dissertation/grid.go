package dissertation

import (
	"path/filepath"
	"strings"
)

// GridModel is what the published conditions call a model: one of their families stands beside their figures.
func GridModel(model string) string {
	name := strings.ToLower(strings.TrimSuffix(model, filepath.Ext(model)))
	for _, family := range []string{"llama", "qwen"} {
		if strings.Contains(name, family) {
			return family
		}
	}
	return name
}
