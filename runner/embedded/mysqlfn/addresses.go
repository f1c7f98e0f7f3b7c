package mysqlfn

import (
	"crypto/rand"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// pointFunctions are those of points, which are texts here as ST_AsText writes them; other shapes are refused.
// Source: MySQL 8.0 Reference Manual, "Spatial Analysis Functions".
var pointFunctions = table{
	"point": {Args: "nn", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		return point{num(a[0]), num(a[1])}.String(), nil
	}},
	"st_geomfromtext":    {Args: "s", Result: ToPlain, Call: ofPoint(func(p point) driver.Value { return p.String() })},
	"st_pointfromtext":   {Args: "s", Result: ToPlain, Alias: "st_geomfromtext"},
	"st_astext":          {Args: "g", Result: ToPlain, Call: shapeText},
	"st_aswkt":           {Args: "g", Result: ToPlain, Alias: "st_astext"},
	"st_x":               {Args: "g", Result: ToDouble, Call: ofPoint(func(p point) driver.Value { return p.x })},
	"st_y":               {Args: "g", Result: ToDouble, Call: ofPoint(func(p point) driver.Value { return p.y })},
	"st_distance":        {Args: "gg", Result: ToDouble, Call: ofPoints(plane)},
	"st_distance_sphere": {Args: "gg", Result: ToDouble, Call: ofPoints(sphere)},
}

// point is a point of a plane, or a longitude and a latitude in degrees.
type point struct{ x, y float64 }

func (p point) String() string {
	return "POINT(" + FormatDouble(p.x, 64) + " " + FormatDouble(p.y, 64) + ")"
}

// pointText is a point as ST_GeomFromText takes it.
var pointText = regexp.MustCompile(`(?i)^\s*POINT\s*\(\s*([-+.0-9e]+)\s+([-+.0-9e]+)\s*\)\s*$`)

// shapeText is a shape as a column has it. Those of other kinds than points get no further.
func shapeText(a []driver.Value) (driver.Value, error) {
	text := str(a[0])
	if !strings.HasSuffix(text, ")") || strings.TrimLeft(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == text {
		return nil, refused("ST_ASTEXT of what is no shape: %q", Clip(text))
	}
	return text, nil
}

// readPoint reads a point.
func readPoint(v driver.Value) (p point, err error) {
	m := pointText.FindStringSubmatch(str(v))
	if m == nil {
		return p, refused("a spatial function of what is no point, such as %q", Clip(str(v)))
	}
	p.x, err = strconv.ParseFloat(m[1], 64)
	if err == nil {
		p.y, err = strconv.ParseFloat(m[2], 64)
	}
	if err != nil {
		return p, refused("a spatial function of what is no point, such as %q", Clip(str(v)))
	}
	return p, nil
}

func ofPoint(f func(p point) driver.Value) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		p, err := readPoint(a[0])
		if err != nil {
			return nil, err
		}
		return f(p), nil
	}
}

func ofPoints(f func(p, q point) (driver.Value, error)) func([]driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		p, err1 := readPoint(a[0])
		q, err2 := readPoint(a[1])
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		return f(p, q)
	}
}

// plane is how far two points of a plane are apart.
func plane(p, q point) (driver.Value, error) {
	dx, dy := p.x-q.x, p.y-q.y
	return finite(math.Sqrt(dx*dx + dy*dy))
}

// sphere is how far two points of the earth are apart, in metres, on a sphere as large as MySQL takes it for.
func sphere(p, q point) (driver.Value, error) {
	const radius = 6370986
	for _, p := range []point{p, q} {
		if p.x <= -180 || p.x > 180 || p.y < -90 || p.y > 90 {
			return nil, refused("ST_DISTANCE_SPHERE of what is no longitude and latitude: %s", p)
		}
	}
	radians := func(degrees float64) float64 { return degrees * math.Pi / 180 }
	lat1, lat2 := radians(p.y), radians(q.y)
	lat, long := math.Sin((lat2-lat1)/2), math.Sin((radians(q.x)-radians(p.x))/2)
	return finite(radius * (2 * math.Asin(math.Sqrt(lat*lat+math.Cos(lat1)*math.Cos(lat2)*(long*long)))))
}

// addressFunctions are about addresses and identifiers.
var addressFunctions = table{
	"inet_aton": {Args: "s", Result: ToInt, Call: text1(inetAton)},
	"inet_ntoa": {Args: "i", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		n := whole(a[0])
		if n < 0 || n > 1<<32-1 {
			return nil, nil
		}
		return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, uint32(n)))).String(), nil
	}},
	"is_ipv4": {Args: "s", Result: ToInt, Nulls: true, Call: func(a []driver.Value) (driver.Value, error) {
		return boolean(isIPv4(str(a[0]))), nil
	}},
	"uuid": {Random: true, Call: func([]driver.Value) (driver.Value, error) { return newUUID() }},
	"is_ipv6": {Args: "s", Result: ToInt, Nulls: true, Call: func(a []driver.Value) (driver.Value, error) {
		addr, err := netip.ParseAddr(str(a[0]))
		return boolean(err == nil && addr.Is6() && addr.Zone() == ""), nil
	}},
	"inet6_aton": {Args: "s", Result: ToBlob, Call: text1(func(s string) driver.Value {
		addr, err := netip.ParseAddr(s)
		if err != nil || addr.Zone() != "" {
			return nil
		}
		return addr.AsSlice()
	})},
	"inet6_ntoa": {Args: "e", Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
		b, ok := a[0].([]byte)
		addr, sized := netip.AddrFromSlice(b)
		if !ok || !sized {
			return nil, nil
		}
		return addr.String(), nil
	}},
	"is_uuid": {Args: "s", Result: ToInt, Call: text1(func(s string) driver.Value {
		_, ok := uuidBytes(s)
		return boolean(ok)
	})},
	"uuid_to_bin": {Args: "si", Opt: 1, Result: ToBlob, Call: func(a []driver.Value) (driver.Value, error) {
		b, ok := uuidBytes(str(a[0]))
		if !ok {
			return nil, runtimeError{1411, "Incorrect string value: '" + Clip(str(a[0])) + "' for function uuid_to_bin"}
		}
		if len(a) > 1 && whole(a[1]) != 0 {
			b = append(append(append(append([]byte{}, b[6:8]...), b[4:6]...), b[:4]...), b[8:]...)
		}
		return b, nil
	}},
	"bin_to_uuid": {Args: "ei", Opt: 1, Result: ToPlain, Call: func(a []driver.Value) (driver.Value, error) {
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

// inetAton reads an IPv4 address, also one with fewer than four parts, the last of which stand for the missing ones.
func inetAton(s string) driver.Value {
	parts := strings.Split(s, ".")
	n := int64(0)
	for _, p := range parts {
		b, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(parts) > 4 {
			return nil
		}
		n = n<<8 | int64(b)
	}
	if missing := 4 - len(parts); missing > 0 && missing < 3 { // 127.1 is 127.0.0.1, and a single number is itself
		last := n & 255
		n = (n-last)<<(8*missing) | last
	}
	return n
}

// isIPv4 is IS_IPV4, which lets zeros stand before a number.
func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 10, 8); err != nil || len(p) > 3 {
			return false
		}
	}
	return len(parts) == 4
}
