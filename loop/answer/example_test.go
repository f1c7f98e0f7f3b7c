package answer_test

import (
	"context"
	"fmt"
	"log"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
)

// An interface opens a model and databases once, joins them to a method, and lets as many ask as come.
func Example() {
	ctx := context.Background()
	method, err := answer.Settings{Agent: "loop", Prompts: "default"}.Method() // what is wrong with it is told here
	if err != nil {
		log.Fatal(err)
	}
	asker, err := answer.New(method, llm.NewReplay("SELECT COUNT(*) FROM orders WHERE status = 'Shipped'"), nil)
	if err != nil {
		log.Fatal(err)
	}
	db, err := embedded.Open(ctx, "", runner.Limits{Rows: 1000})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	orders := answer.Database{DB: db}
	if orders.Schema, err = db.Schema(ctx); err != nil {
		log.Fatal(err)
	}
	ans, err := asker.Ask(ctx, orders, answer.Question{Text: "How many orders were shipped?"}, func(e loop.Event) {
		if e.Kind == loop.KindTool && e.Step >= 0 {
			fmt.Println(e.Tool)
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ans.SQL, ans.Result.Rows)
	// Output:
	// extract_constraints
	// generate_sql
	// validate_sql
	// validate_constraints
	// run_sql
	// finish
	// SELECT COUNT(*) FROM orders WHERE status = 'Shipped' [[293]]
}
