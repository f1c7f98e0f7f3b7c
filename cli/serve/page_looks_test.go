package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// At the width of a desk and of a telephone nothing is wider than the page and no label lies upon another, whatever
// came of a question; what is said of a statement goes with it.
func TestPageLooks(t *testing.T) {
	const whole = `document.querySelector("#rows tbody td:nth-child(2)").getBoundingClientRect().height < 40`
	const apart = `[...document.querySelectorAll("#found svg rect + text")].map((e) => e.getBoundingClientRect()).every(
		(a, i, all) => all.every((b, j) => i >= j || a.right <= b.left || a.bottom <= b.top))`
	for _, width := range []int64{1280, 390} {
		s := serverOf(t, replay("SELECT AVG(creditLimit) FROM customers WHERE country = 'Spain' AND city = 'Madrid'",
			"SELECT YEAR(orderDate), status, COUNT(*) FROM orders GROUP BY YEAR(orderDate), status",
			"SELECT customerName, creditLimit FROM customers WHERE country = 'France' ORDER BY creditLimit DESC"))
		p := openPage(t, start(t, s).URL)
		p.do(chromedp.EmulateViewport(width, 844))
		for i, tt := range []struct{ asked, looks string }{
			{"Which purple dragons of 7 bridges sang about hair, moons and cheese in winter?", `!!document.querySelector(".word-very-low, .word-low")`},
			{"Orders by year and status", apart + " && " + whole + ` && document.querySelector("ul.asks").textContent.includes("NULL, ") &&
				document.querySelector("#found svg").textContent.includes("year of order date")`},
			{"Which customers are in France, by credit limit?", `!!document.querySelector("#rows tbody tr")`},
			{"the other way round", `document.querySelector("#verdict").textContent.includes("smallest first")`},
			{"why?", `!document.querySelector("#verdict .none, #steps li") && document.querySelector("#explained").hidden`},
			{"delete all orders", `!!document.querySelector("#verdict .none") && !document.querySelector("#checked").firstChild`},
		} {
			p.write("#question", tt.asked)
			p.do(chromedp.KeyEvent(kb.Enter))
			p.until(`["Answered", "No answer"].includes(document.querySelector("#status").textContent)`)
			p.shoot(fmt.Sprintf("looks-%d-%d", width, i))
			p.until(tt.looks)
			p.until(fmt.Sprintf(`document.scrollingElement.scrollWidth <= %d`, width))
			p.until(`!document.querySelector("#suggested").open`)
		}
		p.close()
	}
}
