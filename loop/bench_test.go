package loop_test

import (
	"context"
	"testing"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
)

// drawn is a model whose greedy text is the first, and whose samples follow from their seeds.
type drawn []string

func (d drawn) Generate(_ context.Context, _ []llm.Message, p llm.Params) (llm.Completion, error) {
	at := 0
	if p.Temperature > 0 {
		at = 1 + int(p.Seed)%(len(d)-1)
	}
	return llm.Completion{Text: d[at], StopReason: llm.StopEnd, LogProb: -1, OutputTokens: 20}, nil
}

// BenchmarkVote is everything of an answer but the model: five candidates, guards, checks, the database, and what
// follows the vote.
func BenchmarkVote(b *testing.B) {
	db := must.Get(embedded.Open(b.Context(), "", runner.Limits{Rows: 1000}))(b)
	defer db.Close()
	s := must.Get(db.Schema(b.Context()))(b)
	guards := must.Get(guard.ParseSet("default"))(b)
	prompts := must.Get(tools.NewPrompts("default", nil))(b)
	for _, bb := range []struct {
		name, question string
		model          drawn
	}{
		{"agreed", "How many orders were shipped?", drawn{
			"SELECT COUNT(*) FROM orders WHERE status = 'Shipped'",
			"SELECT COUNT(orderNumber) FROM orders WHERE status = 'Shipped'",
		}},
		{"split", "Which customers are in France, and who looks after them?", drawn{
			"SELECT c.customerName, e.lastName FROM customers c JOIN employees e ON c.salesRepEmployeeNumber = " +
				"e.employeeNumber " +
				"WHERE c.country = 'France'",
			"SELECT customerName FROM customers WHERE country = 'France'",
			"SELECT customerName, phone FROM customers WHERE country = 'France'",
			"SELECT c.customerName, e.firstName, e.lastName FROM customers c, employees e WHERE c.country = 'France' " +
				"AND c.salesRepEmployeeNumber = e.employeeNumber",
			"SELECT lastName FROM employees WHERE country = 'France'",
		}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				a := loop.Agent{Model: bb.model, DB: db, Schema: s, Prompts: prompts, Guards: guards, Votes: 5}
				if ans, err := a.Run(b.Context(), bb.question); err != nil || ans.How != loop.ByFinish {
					b.Fatalf("%s %v\n%s", ans.How, err, ans.Trace.DecisionLog())
				}
			}
		})
	}
}
