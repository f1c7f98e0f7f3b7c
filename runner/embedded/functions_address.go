package embedded

import (
	"crypto/rand"
	"database/sql/driver"
	"encoding/hex"
	"net/netip"
	"regexp"
	"strings"

	"github.com/google/uuid"
)

// addressFunctions are about addresses and identifiers.
var addressFunctions = map[string]function{
	"is_ipv6": {args: "s", result: toInt, nulls: true, impl: func(a []driver.Value) (driver.Value, error) {
		addr, err := netip.ParseAddr(str(a[0]))
		return boolean(err == nil && addr.Is6() && addr.Zone() == ""), nil
	}},
	"inet6_aton": {args: "s", result: toBlob, impl: text1(func(s string) driver.Value {
		addr, err := netip.ParseAddr(s)
		if err != nil || addr.Zone() != "" {
			return nil
		}
		return addr.AsSlice()
	})},
	"inet6_ntoa": {args: "e", result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		b, ok := a[0].([]byte)
		addr, sized := netip.AddrFromSlice(b)
		if !ok || !sized {
			return nil, nil
		}
		return addr.String(), nil
	}},
	"is_uuid": {args: "s", result: toInt, impl: text1(func(s string) driver.Value {
		_, ok := uuidBytes(s)
		return boolean(ok)
	})},
	"uuid_to_bin": {args: "si", opt: 1, result: toBlob, impl: func(a []driver.Value) (driver.Value, error) {
		b, ok := uuidBytes(str(a[0]))
		if !ok {
			return nil, runtimeError{1411, "Incorrect string value: '" + clip(str(a[0])) + "' for function uuid_to_bin"}
		}
		if len(a) > 1 && whole(a[1]) != 0 {
			b = append(append(append(append([]byte{}, b[6:8]...), b[4:6]...), b[:4]...), b[8:]...)
		}
		return b, nil
	}},
	"bin_to_uuid": {args: "ei", opt: 1, result: toPlain, impl: func(a []driver.Value) (driver.Value, error) {
		b := []byte(str(a[0]))
		if len(b) != 16 {
			return nil, runtimeError{1411, "Incorrect string value for function bin_to_uuid"}
		}
		if len(a) > 1 && whole(a[1]) != 0 {
			b = append(append(append(append([]byte{}, b[4:8]...), b[2:4]...), b[:2]...), b[8:]...)
		}
		h := hex.EncodeToString(b)
		return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-"), nil
	}},
}

var uuidForm = regexp.MustCompile(`^(?:[0-9a-fA-F]{32}|\{?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?)$`)

func uuidBytes(s string) ([]byte, bool) {
	if !uuidForm.MatchString(s) || strings.HasPrefix(s, "{") != strings.HasSuffix(s, "}") {
		return nil, false
	}
	b, err := hex.DecodeString(strings.NewReplacer("-", "", "{", "", "}", "").Replace(s))
	return b, err == nil
}

// newUUID is UUID(): of the time, with random bytes where others put the machine's address.
func newUUID() (string, error) {
	var node [6]byte
	if _, err := rand.Read(node[:]); err != nil {
		return "", err
	}
	uuid.SetNodeID(node[:])
	id, err := uuid.NewUUID()
	return id.String(), err
}
