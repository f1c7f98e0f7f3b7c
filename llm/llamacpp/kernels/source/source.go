// Package source holds what all sets of kernels are compiled from: headers alone. A package of a set imports it, so
// that Go compiles the set anew when a header changes; it would not see headers of another folder otherwise.
package source

import "embed"

//go:embed *.h
var _ embed.FS
