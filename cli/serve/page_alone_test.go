package serve

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/sys/unix"
)

// With the network cut the page, its tour and a chart work, and Chromium asks nobody but this server: its own log says
// so, but for whether it is the newest Chromium, which no flag keeps it from asking. The test runs itself again where
// there is no network but the loopback, as `unshare -rn` makes it.
func TestPageAlone(t *testing.T) {
	const inside = "NL2SQL_TEST_ALONE"
	if os.Getenv(inside) != "" {
		testAlone(t)
		return
	}
	chromium(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestPageAlone$")
	cmd.Env = append(os.Environ(), inside+"=1")
	mine := func(id int) []syscall.SysProcIDMap { return []syscall.SysProcIDMap{{HostID: id, Size: 1}} }
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: mine(os.Getuid()), GidMappings: mine(os.Getgid()),
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("this system lets nobody cut the network: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// chatty is what Chromium asks its maker by itself, whatever a page does.
const chatty = "AutofillServerCommunication,NetworkTimeServiceQuerying,OptimizationHints,MediaRouter"

func testAlone(t *testing.T) {
	loopback(t)
	record := filepath.Join(t.TempDir(), "net.json")
	perLine := "SELECT productLine, COUNT(*) AS products FROM products GROUP BY productLine"
	url := start(t, serverOf(t, replay(counted, perLine))).URL
	p := openPage(t, url, chromedp.Flag("log-net-log", record), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-features", chatty))
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("t"))
	p.until(`document.querySelector("#status").textContent === "Answered"`)
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.until(`document.querySelectorAll("#chart rect.mark").length === 7`)
	p.close()
	if err := chromedp.Cancel(p.ctx); err != nil { // it writes the end of its log
		t.Fatal(err)
	}
	text, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Events []struct{ Params struct{ URL string } }
	}
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	ours := 0
	for _, e := range log.Events {
		switch at := e.Params.URL; {
		case strings.HasPrefix(at, url):
			ours++
		case strings.Contains(at, "://update.googleapis.com/"):
		case at != "" && !strings.HasPrefix(at, "data:") && !strings.HasPrefix(at, "chrome"):
			t.Errorf("Chromium asks for %s", at)
		}
	}
	if ours == 0 {
		t.Error("the log has no request")
	}
}

// loopback brings up the one network that there is.
func loopback(t *testing.T) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		t.Fatal(err)
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		t.Fatal(err)
	}
}
