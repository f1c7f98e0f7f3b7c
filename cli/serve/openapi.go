package serve

import (
	_ "embed"
	"encoding/json"
	"net/http"
)

// openapi is the description of the routes, without the version. A test makes it of them.
//
//go:embed openapi.json
var openapi []byte

// describe serves /api/openapi.json.
func (h *handler) describe(w http.ResponseWriter, _ *http.Request) error {
	var all map[string]any
	if err := json.Unmarshal(openapi, &all); err != nil {
		return err
	}
	all["info"].(map[string]any)["version"] = h.Version
	return write(w, http.StatusOK, all)
}
