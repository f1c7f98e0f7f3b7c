package catalog

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/runner/files"
)

// huggingFace finds models--OWNER--REPOSITORY/snapshots/REVISION/FILE.gguf in a hub, whose files are links into blobs/.
// The revision that refs/main names goes first; an older one counts only for files that the first lacks.
// Source: huggingface_hub's guide "Understand caching".
func (s *search) huggingFace(ctx context.Context, source, dir string) error {
	repos, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, repo := range repos {
		name, isModel := strings.CutPrefix(repo.Name(), "models--")
		if !isModel || ctx.Err() != nil {
			continue
		}
		base := filepath.Join(dir, repo.Name())
		revisions, err := os.ReadDir(filepath.Join(base, "snapshots"))
		if err != nil {
			continue // nothing was downloaded yet
		}
		if main, err := files.Regular(filepath.Join(base, "refs", "main"), 1<<12); err == nil {
			isMain := func(d fs.DirEntry) bool { return d.Name() == strings.TrimSpace(string(main)) }
			if i := slices.IndexFunc(revisions, isMain); i > 0 {
				revisions[0], revisions[i] = revisions[i], revisions[0]
			}
		}
		var found search
		for _, rev := range revisions {
			var next search
			if err := next.folder(ctx, source, filepath.Join(base, "snapshots", rev.Name())); err != nil {
				s.errs = append(s.errs, err)
			}
			for _, f := range next.files {
				if !slices.ContainsFunc(found.files, func(g File) bool { return g.Name == f.Name }) {
					found.files = append(found.files, f)
				}
			}
			s.errs = append(s.errs, next.errs...)
		}
		for _, f := range found.files {
			f.Name = strings.ReplaceAll(name, "--", "/") + "/" + f.Name
			s.add(f)
		}
	}
	return nil
}
