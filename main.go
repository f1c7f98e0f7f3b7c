// Command nl2sql turns a question into one safe MySQL SELECT, runs it and shows the rows.
package main

import (
	"os"

	"nl2sql/cli"
)

func main() {
	call, err := cli.Parse(os.Args[1:])
	if err == nil {
		err = call.Run()
	}
	os.Exit(call.Exit(err))
}
