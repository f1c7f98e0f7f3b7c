// Package record is what a run leaves: its card, a record an answer, and the files that hold them.
//
// It reads and writes run.jsonl, which a run that was stopped goes on with, and reads what others left: the files of
// the original, the author's program, in each of its shapes, its flags, and files of predictions. It runs no model and
// scores nothing.
// Begin with Run and ReadRuns.
package record
