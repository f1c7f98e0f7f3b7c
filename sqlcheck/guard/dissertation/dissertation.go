// Package dissertation has the rules that were made with the dissertation's items and win nothing where nobody tuned,
// and the original program's own. Each may change what a running query means; they serve to repeat the figures. Begin
// with Projection and Seed. It imports bind, draft, edit, names, question, schema and syntax, and sqlcheck for the
// verdicts of the seeds.
package dissertation
