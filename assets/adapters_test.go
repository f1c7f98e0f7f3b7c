package assets

import "testing"

// What is built in unpacks to the file that its card names, and is small enough to travel with the program.
func TestAdapters(t *testing.T) {
	all, err := Adapters()
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string]string{}
	for _, a := range all {
		if bases[a.Base] != "" {
			t.Errorf("%s and %s are for one model", bases[a.Base], a.Name)
		}
		bases[a.Base] = a.Name
		if _, err := a.GGUF(); err != nil {
			t.Error(err)
		}
		info, err := adapters.ReadFile("adapters/" + a.Name + "/adapter.gguf.zst")
		if err != nil || len(info) > 12<<20 {
			t.Errorf("%s: %d bytes, %v: at most 12 MiB", a.Name, len(info), err)
		}
	}
}
