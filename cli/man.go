package cli

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

// manFlag writes the man page to stdout, for make install and make dist. Its date is SOURCE_DATE_EPOCH, in seconds since 1970,
// or today.
type manFlag bool

func (manFlag) BeforeApply(app *kong.Kong) error {
	date := time.Now()
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH=%s: it must be seconds since 1970", text)
		}
		date = time.Unix(seconds, 0).UTC()
	}
	fmt.Fprint(app.Stdout, mangokong.NewManPage(1, app.Model).Build(dated{roff.NewDocument(), date}))
	app.Exit(0)
	return nil
}

// dated writes a man page of a given day.
type dated struct {
	*roff.Document
	date time.Time
}

func (d dated) Heading(section uint, title, _ string, _ time.Time) {
	d.Document.Heading(section, title, "nl2sql", d.date) // the description is too long for a head
}
