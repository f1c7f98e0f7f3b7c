package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until an element has the focus.
func (p *page) tabTo(selector string) {
	p.t.Helper()
	reached := fmt.Sprintf("document.activeElement.matches(%q)", selector)
	for range 100 {
		there, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](reached))
		if err != nil {
			p.t.Fatal(err)
		}
		if there {
			return
		}
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	p.t.Fatalf("the keyboard does not reach %s", selector)
}

// download is what a press of Enter saves.
func (p *page) download(name string) string {
	p.t.Helper()
	folder := p.t.TempDir()
	p.do(calling(browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
	}), chromedp.KeyEvent(kb.Enter))
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil && len(text) > 0 {
			return string(text)
		}
	}
	p.t.Fatalf("%s was not saved", name)
	return ""
}

// All that the page does is done with the keyboard alone.
func TestPageKeyboard(t *testing.T) {
	s := serverOf(t, replay("SELECT orderNumber, status FROM orders", counted, counted))
	p := openPage(t, start(t, s).URL)
	p.do(calling(browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "clipboard-read"}, Setting: browser.PermissionSettingGranted,
	}))
	p.do(chromedp.KeyEvent("What is the status of each order?"), chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelectorAll("#rows tbody tr").length === 25`)

	p.tabTo("#rows th button")
	p.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter))
	first := `document.querySelector("#rows tbody td").textContent`
	p.until(first + ` === "10425" && document.querySelector("#rows th").getAttribute("aria-sort") === "descending"`)
	for _, page := range []string{"26–50 of 326", "51–75 of 326"} {
		p.tabTo("#rows .line button:nth-child(2)")
		p.do(chromedp.KeyEvent(kb.Enter))
		p.until(fmt.Sprintf(`document.querySelector("#rows .line .mute").textContent === %q`, page))
	}
	p.tabTo("#rows .line button:nth-of-type(3)")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#status").textContent === "Copied, for a spreadsheet"`)
	read := chromedp.Evaluate[string]("navigator.clipboard.readText()", chromedp.EvalAwaitPromise)
	copied, err := chromedp.Run(p.ctx, read)
	if err != nil || !strings.HasPrefix(copied, "orderNumber\tstatus\n10425\t") || strings.Count(copied, "\n") != 326 {
		t.Errorf("%v: %.100s", err, copied)
	}
	p.tabTo("#rows .line button:nth-of-type(4)")
	if text := p.download("answer.csv"); !strings.HasPrefix(text, "orderNumber,status\n10425,") {
		t.Errorf("%.100s", text)
	}
	p.tabTo("#rows .line button:nth-of-type(5)")
	if text := p.download("answer.json"); !strings.HasPrefix(text, "[\n{\"orderNumber\":10425,\"status\":\"") {
		t.Errorf("%.100s", text)
	}

	p.tabTo("#trace summary")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#trace").open`)
	p.tabTo("#sql")
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.do(chromedp.KeyEvent("SELECT COUNT(*) FROM offices"),
		chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.until(first + ` === "7"`)
	p.tabTo("#search")
	p.do(chromedp.KeyEvent("city"))
	p.until(`document.querySelectorAll("#tables summary").length === 2`)
	p.tabTo("#draw")
	p.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#diagram svg"))
	p.reads()
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(`!document.querySelector("#diagram").open && document.activeElement.id === "draw"`)

	// what was asked before is asked again, and forgotten
	p.do(chromedp.KeyEvent("/"))
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(asked),
		chromedp.KeyEvent(kb.Enter))
	p.until(first + ` === "293" || ` + first + ` === "303"`)
	p.tabTo("#before summary")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`[...document.querySelectorAll("#before li")].map((e) => e.textContent).join("|") === "` + asked +
		`|What is the status of each order?"`)
	p.tabTo("#before li button")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#status").textContent === "Answered"`)
	p.reads()
	p.tabTo("#forget")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#before").hidden && document.activeElement.id === "question"`)
	p.close()
}

// The tour asks what the schema suggests, a key each, and comes back to the page as it was.
func TestPageTour(t *testing.T) {
	perLine := "SELECT productLine, COUNT(*) AS products FROM products GROUP BY productLine"
	s := serverOf(t, replay(counted, perLine, counted, perLine, counted))
	p := openPage(t, start(t, s).URL)
	questions := `[...document.querySelectorAll("#examples li")].map((e) => e.textContent)`
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("t"))
	for i, key := range []string{"", kb.ArrowRight, kb.PageDown, kb.ArrowLeft, kb.PageDown} {
		at := []int{0, 1, 2, 1, 2}[i]
		if key != "" {
			p.do(chromedp.KeyEvent(key))
		}
		p.until(fmt.Sprintf(`document.querySelector("#tour span").textContent === "Question %d of 5" &&
			document.querySelector("#tour strong").textContent === %s[%d]`, at+1, questions, at))
		p.until(`document.querySelector("#status").textContent === "Answered"`)
		if i == 1 {
			p.until(`document.querySelectorAll("#chart rect.mark").length === 7`)
			// the axis holds the longest bar
			p.until(`Math.min(...[...document.querySelectorAll("#chart rect.mark")].map((r) => r.y.baseVal.value)) >= 12`)
			p.shoot("tour")
			p.reads()
		}
	}
	size := `parseFloat(getComputedStyle(document.querySelector("#tour strong")).fontSize)`
	p.until(size + ` > 30 && document.querySelector("aside").offsetParent === null`)
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(`document.querySelector("#tour").hidden && document.querySelector("aside").offsetParent !== null &&
		!document.documentElement.classList.contains("large") && document.activeElement.id === "question"`)
	p.close()
}

// A question back is shown with its choices, one of which runs when it is chosen; what goes on from an answer is taken
// together with it, until a new question is wanted.
func TestPageGoesOn(t *testing.T) {
	const before = "SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2004"
	s := serverOf(t, replay(before, "SELECT COUNT(*) FROM orders WHERE YEAR(requiredDate) = 2003"))
	p := openPage(t, start(t, s).URL)
	cell := func(want string) {
		t.Helper()
		p.until(`document.querySelector("#rows tbody td")?.textContent === "` + want + `"`)
	}
	p.do(chromedp.KeyEvent("How many orders are from 2004?"), chromedp.KeyEvent(kb.Enter))
	cell("152")
	if got := p.text("#verdict p.asks"); got != "which date: order date, or required date?" {
		t.Errorf("asks %q", got)
	}
	if got := p.text("#verdict ul.asks"); got != "required date → 146" {
		t.Errorf("offers %q", got)
	}
	p.shoot("asks")
	p.do(chromedp.Click("#verdict ul.asks button"))
	cell("146")
	p.write("#question", "And in 2003?")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#verdict").textContent.includes("Taken as: ")`)
	if got := p.text("#shown"); strings.TrimSpace(got) != "SELECT COUNT(*) FROM orders WHERE YEAR(requiredDate) = 2003" {
		t.Errorf("runs %q", got)
	}
	p.shoot("goes-on")
	p.write("#question", "why?")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#verdict").textContent.includes("The last answer is what this finds: SELECT")`)
	p.reads()
	p.do(chromedp.Click("#search"), chromedp.Click("h1"), chromedp.KeyEvent("n"))
	p.until(`document.querySelector("#new").hidden && document.activeElement === document.querySelector("#question")`)
	p.write("#question", "And in 2003?")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#verdict").textContent.includes("goes on from another question")`)
	p.write("#question", "hello")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#verdict").textContent === "Hello. Ask for what the database holds."`)
	p.close()
}
