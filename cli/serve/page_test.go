package serve

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"nl2sql/llm"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
)

// The page comes whole and alone: with a policy that lets it load nothing else, and without a token.
func TestPageFiles(t *testing.T) {
	s := serverOf(t, replay())
	s.Tokens = []string{"0123456789abcdef"}
	url := start(t, s).URL
	resp, text := call(t, "GET", url+"/", "")
	if resp.StatusCode != 200 || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Fatalf("%s %v", resp.Status, resp.Header)
	}
	named := regexp.MustCompile(`(?:href|src)="(/[^"#]*)"`).FindAllStringSubmatch(text, -1)
	if len(named) != 3 {
		t.Errorf("%v", named)
	}
	for _, m := range named {
		if resp, _ := call(t, "GET", url+m[1], ""); resp.StatusCode != 200 {
			t.Errorf("%s: %s", m[1], resp.Status)
		}
	}
	if resp, _ := call(t, "GET", url+"/page/nosuch.js", ""); resp.StatusCode != 404 {
		t.Error(resp.Status)
	}
	for file, wrong := range map[string]string{"index.html": `(?i)\sstyle=|\son\w+=|<script>|https?:`,
		"style.css": `url\(|@import`} {
		text, err := os.ReadFile("../../assets/page/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(wrong).Find(text); m != nil {
			t.Errorf("%s has %q", file, m)
		}
	}
	modules, err := filepath.Glob("../../assets/page/*.js")
	if err != nil || len(modules) == 0 {
		t.Fatal(err)
	}
	for _, m := range modules {
		text, err := os.ReadFile(m)
		if err != nil {
			t.Fatal(err)
		}
		if bad := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(`).Find(text); bad != nil {
			t.Errorf("%s has %q: texts are texts", m, bad)
		}
	}
}

// page is Chromium at a server, with what it complained of.
type page struct {
	t   *testing.T
	ctx context.Context
	mu  sync.Mutex
	bad []string
}

// chromium is the program: one that is installed, or that which make setup fetches.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Chromium, which -short leaves out")
	}
	cache, err := runner.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"chromium", "chromium-browser", "google-chrome", filepath.Join(cache, "chromium", "chromium")}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium here: make setup fetches it, or apt-get install chromium")
	return ""
}

func openPage(t *testing.T, address string, also ...chromedp.ExecAllocatorOption) *page {
	t.Helper()
	url, _, _ := strings.Cut(address, "/#")
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(chromium(t)),
		chromedp.NoSandbox,
		chromedp.WindowSize(1360, 900), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), append(options, also...)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if at := strings.TrimPrefix(e.Request.URL, "blob:"); !strings.HasPrefix(at, url) {
				p.complain("asks for " + e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			p.complain(e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError {
				p.complain(e.Entry.Text + " " + e.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.do(calling(network.Enable, network.EnableParams{}), chromedp.Navigate(address),
		chromedp.WaitVisible("#examples button"))
	return p
}

// calling is a command of Chromium's protocol.
func calling[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, command, params)
		return err
	})
}

func (p *page) complain(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bad = append(p.bad, what)
}

// patience is what a slow machine takes.
const patience = time.Minute

// do does something.
func (p *page) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		shown, also := chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		p.t.Fatalf("%v %v; the page shows:\n%s\nand said %q", err, also, shown, p.bad)
	}
}

// until waits for an expression to be true.
func (p *page) until(expression string) {
	p.t.Helper()
	p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience))(ctx, t)
		if err != nil {
			err = fmt.Errorf("%s: %w", expression, err)
		}
		return chromedp.Void{}, err
	})
}

// text is what an element shows.
func (p *page) text(selector string) string {
	p.t.Helper()
	text, err := chromedp.Run(p.ctx,
		chromedp.Evaluate[string](fmt.Sprintf("document.querySelector(%q).textContent", selector)))
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// write replaces what is in a field, by the keyboard.
func (p *page) write(selector, text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("(document.querySelector(%q).focus(), document.activeElement.select(), true)", selector))
	p.do(chromedp.KeyEvent(text))
}

// shoot keeps a picture where NL2SQL_SHOTS names a folder, for who wants to look.
func (p *page) shoot(name string) {
	p.t.Helper()
	folder := os.Getenv("NL2SQL_SHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// reads lets axe-core look at the page as it is, for what it keeps from who cannot see it or has no mouse.
func (p *page) reads() {
	p.t.Helper()
	p.t.Run("axe-core", func(t *testing.T) {
		cache, err := runner.CacheFolder()
		if err != nil {
			t.Fatal(err)
		}
		script, err := os.ReadFile(filepath.Join(cache, "axe", "axe.min.js"))
		if os.IsNotExist(err) {
			t.Skip("no axe-core here: make setup fetches it, where there is npm")
		} else if err != nil {
			t.Fatal(err)
		}
		found, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](string(script)+`;
			axe.run().then((r) => r.passes.length === 0 ? ["it looked at nothing"] : r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
				.map((v) => v.id + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).join("; ")))`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		for _, violation := range found {
			t.Error(violation)
		}
	})
}

// close wants that nothing was complained of, also not by axe-core.
func (p *page) close() {
	p.t.Helper()
	p.reads()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, what := range p.bad {
		p.t.Error(what)
	}
}

// A question is asked with the keyboard alone; its answer is sorted, saved and edited, and a statement that may not
// run is told while typed.
func TestPage(t *testing.T) {
	s := serverOf(t, replay("SELECT productLine, AVG(buyPrice) AS price FROM product GROUP BY productLine"))
	p := openPage(t, start(t, s).URL)
	p.shoot("begin")
	// the field has the focus
	p.do(chromedp.KeyEvent("What is the average buy price of each product line?"), chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#rows tbody tr") !== null`)
	if got := p.text("#steps"); !strings.Contains(got, "Rules mended it") ||
		!strings.Contains(got, "there is no table product; taken for products") {
		t.Error(got)
	}
	if got := p.text("#steps ins"); got != "products" {
		t.Errorf("the change is shown as %q", got)
	}
	if got := p.text("#verdict"); !strings.Contains(got, "Confidence: ") || !strings.Contains(got, "Mended: ") {
		t.Error(got)
	}
	if got := p.text("#verdict .sentence"); got != "7 different product lines." {
		t.Errorf("the sentence is %q", got)
	}
	p.until(`document.querySelectorAll("#chart rect.mark").length === 7`)
	p.until(`document.querySelector("#checked .good") !== null`)
	p.shoot("answer")

	p.do(chromedp.Click(`#rows th:nth-child(2) button`), chromedp.Click(`#rows th:nth-child(2) button`))
	if got := p.text("#rows tbody tr td"); got != "Trains" {
		t.Errorf("the dearest line is %q", got)
	}
	folder := t.TempDir()
	p.do(calling(browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder,
	}), chromedp.Click(`//button[text()="CSV"]`))
	var text []byte
	for end := time.Now().Add(30 * time.Second); len(text) == 0 &&
		time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		text, _ = os.ReadFile(filepath.Join(folder, "answer.csv")) // it is not there yet
	}
	if !strings.HasPrefix(string(text), "productLine,price\nTrains,70.766667\nMotorcycles,70.668571\n") {
		t.Errorf("%s", text)
	}

	p.write("#sql", "DELETE FROM orders")
	p.until(`document.querySelector("#checked").textContent.startsWith("Refused: write one SELECT statement")`)
	p.until(`document.querySelector("#explained").hidden`)
	p.shoot("refused")
	p.write("#sql", "SELECT orderDate, COUNT(*) AS orders FROM orders GROUP BY orderDate ORDER BY orderDate LIMIT 40")
	p.until(`document.querySelector("#checked .good") !== null`)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.until(`document.querySelector("#chart polyline") !== null`)
	p.until(`document.querySelector("#words dl").textContent.includes("one for each order date")`)
	p.shoot("explained")
	// a line a status, in its colour, which bridges no year without one
	p.write("#sql", "SELECT YEAR(orderDate) AS year, status, COUNT(*) AS orders FROM orders "+
		"WHERE NOT (YEAR(orderDate) = 2004 AND status = 'Cancelled') GROUP BY year, status")
	p.until(`document.querySelector("#checked .good") !== null`)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.until(`document.querySelector("#chart svg")?.getAttribute("aria-label").startsWith("orders by year and status: line")`)
	p.until(`document.querySelectorAll("#chart rect.mark").length === 6 && document.querySelectorAll("#chart polyline").length > 6`)
	p.shoot("series")
	p.do(chromedp.Click("#draw"), chromedp.WaitVisible("#diagram svg"))
	p.until(`document.querySelectorAll("#diagram g.table").length === 8`)
	p.shoot("diagram")
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(`!document.querySelector("#diagram").open`)
	p.write("#search", "price")
	p.until(`[...document.querySelectorAll("#tables summary")].map((e) => e.textContent).join() === "orderdetails 2996 rows,products 110 rows"`)

	p.do(chromedp.Click("#theme"), chromedp.Click("#large"))
	p.shoot("dark-large")
	p.do(chromedp.Click("#large"), chromedp.EmulateViewport(390, 800, chromedp.EmulateMobile))
	p.until(`document.documentElement.scrollWidth <= 390`)
	p.shoot("phone")
	p.close()
}

// Whatever is in names, cells and texts of the model is shown as text.
func TestPageShowsTexts(t *testing.T) {
	const hostile = `<img src=x onerror="document.title='gone'">`
	long := strings.Repeat("<b>1 MB</b>\x1b[31m", 64<<10)
	dump := "CREATE TABLE `<b>t</b>` (`" + hostile + "` text COMMENT '" + strings.ReplaceAll(hostile, "'", "''") +
		"', n decimal(30,2)) COMMENT '<u>of</u>';\n" +
		"INSERT INTO `<b>t</b>` VALUES ('" + strings.ReplaceAll(hostile, "'", "''") +
		"', 12345678901234567890.10), ('javascript:alert(1)\u202e', NULL), ('" + long + "', 1);\n"
	db, err := embedded.OpenDump(t.Context(), "<i>db</i>", strings.NewReader(dump), runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	d := desk.Database{Name: "<i>db</i>", Backend: db.Backend(), Database: answer.Database{DB: db}}
	d.Doubts = func() []string { return []string{hostile} }
	if d.Schema, err = db.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := serverOf(t, replay("SELECT * FROM `<b>t</b>`"))
	s.Databases, s.Tokens = []desk.Database{d, manyTables(t)}, []string{"0123456789abcdef"}
	p := openPage(t, start(t, s).URL+"/#token=0123456789abcdef")
	p.write("#question", "Show all "+hostile)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelectorAll("#rows tbody tr").length === 3`)
	if got := p.text("#rows tbody tr td"); got != hostile {
		t.Errorf("the cell is %q", got)
	}
	if got := p.text("#rows tbody tr td:nth-child(2)"); got != "12345678901234567890.10" {
		t.Errorf("the number is %q", got)
	}
	if got := p.text("#rows tbody tr:nth-child(2) td"); got != `javascript:alert(1)\u202e` {
		t.Errorf("the cell is %q", got)
	}
	if got := p.text("#fresh li"); got != "<i>db</i>: "+hostile {
		t.Errorf("the doubt is %q", got)
	}
	begins := strings.Repeat(`<b>1 MB</b>\u001b[31m`, 20)[:400] + "…"
	if got := p.text("#rows tbody tr:nth-child(3) td"); got != begins {
		t.Errorf("the cell is %.500q", got)
	}
	p.tabTo("#rows .line button:nth-of-type(5)")
	if saved := p.download("answer.json"); !strings.Contains(saved, strings.ReplaceAll(long, "\x1b", `\u001b`)) {
		t.Errorf("saved were %d bytes, without the long cell", len(saved))
	}
	p.do(chromedp.Click("#draw"), chromedp.WaitVisible("#diagram svg"))
	p.until(`document.title === "nl2sql" && document.querySelector("img, b, i, u, main script") === null`)
	if got := p.text("#before li"); got != "Show all "+hostile {
		t.Errorf("what was asked is %q", got)
	}
	p.do(chromedp.KeyEvent(kb.Escape))

	// another database: fifty tables have places of their own, and lines
	p.until(`(document.querySelector("#database").value = "many", document.querySelector("#database").dispatchEvent(new Event("change")), true)`)
	p.until(`document.querySelectorAll("#tables summary").length === 50 && document.querySelector("#found").hidden`)
	p.do(chromedp.Click("#draw"), chromedp.WaitVisible("#diagram svg"))
	p.until(`document.querySelectorAll("#diagram path.key").length === 61`)
	p.until(`new Set([...document.querySelectorAll("#diagram rect")].map((r) => r.getAttribute("x") + " " + r.getAttribute("y"))).size === 50`)
	p.shoot("fifty")
	p.close()
}

// manyTables is a database of fifty tables.
func manyTables(t *testing.T) desk.Database {
	t.Helper()
	var dump strings.Builder
	for i := range 50 {
		fmt.Fprintf(&dump, "CREATE TABLE table_%02d (id int PRIMARY KEY", i)
		if i > 0 {
			fmt.Fprintf(&dump, ", up int, FOREIGN KEY (up) REFERENCES table_%02d (id)", (i-1)/3)
		}
		if i > 0 && i%4 == 0 {
			fmt.Fprintf(&dump, ", also int, FOREIGN KEY (also) REFERENCES table_%02d (id)", i-1)
		}
		dump.WriteString(");\n")
	}
	db, err := embedded.OpenDump(t.Context(), "many", strings.NewReader(dump.String()), runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	d := desk.Database{Name: "many", Backend: db.Backend(), Database: answer.Database{DB: db}}
	if d.Schema, err = db.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// A split vote is shown with its parties, and a question is stopped from the page.
func TestPageVote(t *testing.T) {
	replies := []string{counted, "SELECT COUNT(*) FROM orders", counted,
		"SELECT status FROM orders WHERE status = 'Shipped' LIMIT 3"}
	model := newSlow(append(replies, counted, counted, counted, counted)...)
	s := serverOf(t, model)
	method, err := answer.Settings{Agent: "loop", Votes: 4}.Method()
	if err != nil {
		t.Fatal(err)
	}
	if s.Asker, err = answer.New(method.On("default", false), llm.Generator(model), nil); err != nil {
		t.Fatal(err)
	}
	if s.History, err = desk.OpenHistory(filepath.Join(t.TempDir(), "history.jsonl")); err != nil {
		t.Fatal(err)
	}
	p := openPage(t, start(t, s).URL)
	p.do(chromedp.Click("#kept summary"))
	p.write("#question", asked)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#steps .now")?.textContent === "The model is writing"`)
	p.shoot("working")
	for range 8 {
		model.let <- struct{}{}
	}
	p.until(`document.querySelector("#rows tbody tr") !== null`)
	p.shoot("vote")
	if got := p.text("#steps"); !strings.Contains(got, "Candidate, found rows A") ||
		!strings.Contains(got, "Candidate, found rows B") || !strings.Contains(got, "Vote: ") {
		t.Error(got)
	}
	// each party's rows are seen once, of many the first; the server's history has the question
	if got := p.text("#steps .glance"); !strings.Contains(got, "293") {
		t.Error(got)
	}
	p.until(`document.querySelectorAll("#steps .glance").length === 3 &&
		document.querySelector("#kept li")?.textContent.startsWith("` + asked + ` 1 row, ")`)
	p.reads()
	for len(model.let) > 0 {
		<-model.let
	}
	p.write("#question", asked)
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(`document.querySelector("#steps .now")?.textContent === "The model is writing"`)
	p.do(chromedp.Click("#stop"))
	<-model.ended
	p.until(`document.querySelector("#status").textContent === "Stopped"`)
	p.close()
}
