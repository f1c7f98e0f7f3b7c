package assets

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed data/grids
var grids embed.FS

// Grids are the names of the grids that are built in.
func Grids() []string {
	files, err := fs.Glob(grids, "data/grids/*.yaml")
	if err != nil { // the pattern is ours
		panic(err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	return files
}

// Grid is the text of one; a name that there is not is an error.
func Grid(name string) ([]byte, error) { return grids.ReadFile("data/grids/" + name + ".yaml") }
