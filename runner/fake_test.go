package runner_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// fake is a server that speaks MySQL's protocol and answers what a test says.
type fake struct {
	addr   string
	answer func(id uint32, text string) reply // nil, or a zero reply: as a server that keeps what it is told
	all    sync.WaitGroup                     // of connections

	mu     sync.Mutex
	closed bool
	last   uint32              // connection
	said   map[uint32][]string // statements by connection
}

// reply is what a fake answers to one statement.
type reply struct {
	ok    bool // without a result set
	names []string
	rows  [][]string
	code  uint16 // an error
	text  string
	drop  bool            // the connection ends instead
	wait  <-chan struct{} // before anything else
	after <-chan struct{} // before the end of the rows
}

func newFake(t *testing.T, answer func(id uint32, text string) reply) *fake {
	t.Helper()
	f := &fake{answer: answer, said: map[uint32][]string{}}
	fakes.Lock()
	defer fakes.Unlock()
	f.addr = fmt.Sprintf("fake-%d:3306", len(fakes.at))
	fakes.at[f.addr] = f
	t.Cleanup(func() { f.close(); f.all.Wait() })
	return f
}

// fakes are reached in this process, without a network, so that a test with a clock of its own (testing/synctest) can
// wait for them.
var fakes = struct {
	sync.Mutex
	at map[string]*fake
}{at: map[string]*fake{}}

func init() {
	var network net.Dialer
	mysql.RegisterDialContext("tcp", func(ctx context.Context, addr string) (net.Conn, error) {
		fakes.Lock()
		f := fakes.at[addr]
		fakes.Unlock()
		if f == nil {
			return network.DialContext(ctx, "tcp", addr)
		}
		return f.dial()
	})
}

func (f *fake) dial() (net.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	f.last++
	id := f.last
	ours, theirs := net.Pipe()
	f.all.Go(func() { defer ours.Close(); f.serve(ours, id) })
	return theirs, nil
}

// close lets the server take no more connections.
func (f *fake) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
}

func (f *fake) dsn() string { return "u:battery-staple@tcp(" + f.addr + ")/d" }

// statements are all that were received, in the order of connections.
func (f *fake) statements() (all []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id := uint32(1); id <= f.last; id++ {
		all = append(all, f.said[id]...)
	}
	return all
}

func (f *fake) serve(conn net.Conn, id uint32) {
	r, w := bufio.NewReader(conn), &packets{w: conn}
	greeting := append([]byte{10}, "8.0.30-fake\x00"...)
	greeting = binary.LittleEndian.AppendUint32(greeting, id)
	greeting = append(greeting, "12345678\x00"...)
	// CLIENT_LONG_PASSWORD, CONNECT_WITH_DB, PROTOCOL_41, TRANSACTIONS, SECURE_CONNECTION, PLUGIN_AUTH
	greeting = append(greeting, 0x09, 0xa2, 45, 2, 0, 0x08, 0x00, 21)
	greeting = append(greeting, make([]byte, 10)...)
	greeting = append(greeting, "123456789012\x00mysql_native_password\x00"...)
	w.send(greeting)
	if _, _, err := readPacket(r); err != nil {
		return
	}
	w.seq = 2
	w.ok()
	for {
		_, body, err := readPacket(r)
		if err != nil || len(body) == 0 || body[0] == 1 { // COM_QUIT
			return
		}
		w.seq = 1
		text := string(body[1:])
		if body[0] == 22 { // COM_STMT_PREPARE: every function is its own
			w.reply(reply{code: 1582, text: "Incorrect parameter count"})
			continue
		}
		f.mu.Lock()
		f.said[id] = append(f.said[id], text)
		f.mu.Unlock()
		var a reply
		if f.answer != nil {
			a = f.answer(id, text)
		}
		if a.names == nil && !a.ok && a.code == 0 && !a.drop {
			wait := a.wait
			a = honest(id, text)
			a.wait = wait
		}
		if a.wait != nil {
			<-a.wait
		}
		if a.drop {
			return
		}
		w.reply(a)
		if w.err != nil {
			return
		}
	}
}

// honest answers as a server that keeps what it is told.
func honest(id uint32, text string) reply {
	values := map[string]string{
		"@@SESSION.sql_mode": "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE," +
			"NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
		"@@SESSION.character_set_client": "utf8mb4", "@@SESSION.character_set_connection": "utf8mb4",
		"@@SESSION.character_set_results": "utf8mb4",
		"VERSION()":                       "8.0.30-fake", "CONNECTION_ID()": fmt.Sprint(id),
		`HEX('縗\\')`: "E7B8975C", "1": "1",
		"@@hostname": "h", "@@port": "3306",
	}
	switch {
	case strings.HasPrefix(text, "SHOW SESSION VARIABLES"):
		a := reply{names: []string{"Variable_name", "Value"}}
		for _, name := range []string{"sql_mode", "character_set_client", "character_set_connection",
			"character_set_results"} {
			a.rows = append(a.rows, []string{name, "other"})
		}
		return a
	case strings.HasPrefix(text, "SELECT "):
		a := reply{rows: make([][]string, 1)}
		for _, name := range strings.Split(strings.TrimPrefix(text, "SELECT "), ", ") {
			a.names, a.rows[0] = append(a.names, name), append(a.rows[0], values[name])
		}
		return a
	}
	return reply{ok: true}
}

func readPacket(r io.Reader) (seq byte, body []byte, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	body = make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
	_, err = io.ReadFull(r, body)
	return head[3], body, err
}

// packets writes the packets of one reply; seq is the next one's number.
type packets struct {
	w   io.Writer
	seq byte
	err error
}

func (p *packets) send(body []byte) {
	n := len(body)
	if p.err == nil {
		_, p.err = p.w.Write(append([]byte{byte(n), byte(n >> 8), byte(n >> 16), p.seq}, body...))
	}
	p.seq++
}

func (p *packets) ok()  { p.send([]byte{0, 0, 0, 2, 0, 0, 0}) }
func (p *packets) eof() { p.send([]byte{0xfe, 0, 0, 2, 0}) }

func (p *packets) reply(a reply) {
	short := func(s string) []byte {
		if len(s) < 251 {
			return append([]byte{byte(len(s))}, s...)
		}
		return append([]byte{0xfd, byte(len(s)), byte(len(s) >> 8), byte(len(s) >> 16)}, s...)
	}
	switch {
	case a.code != 0:
		p.send(append(append([]byte{0xff, byte(a.code), byte(a.code >> 8)}, "#HY000"...), a.text...))
		return
	case a.names == nil:
		p.ok()
		return
	}
	p.send([]byte{byte(len(a.names))})
	for _, name := range a.names {
		def := []byte("\x03def\x00\x00\x00")
		def = append(append(def, short(name)...), 0, 12, 45, 0, 0, 4, 0, 0, 253, 0, 0, 0, 0, 0)
		p.send(def)
	}
	p.eof()
	for _, row := range a.rows {
		var body []byte
		for _, cell := range row {
			body = append(body, short(cell)...)
		}
		p.send(body)
	}
	if a.after != nil {
		<-a.after
	}
	p.eof()
}
