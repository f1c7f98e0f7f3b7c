// Package suite makes databases on which a right answer must still be right, and shows on few rows why another is not.
//
// A Snapshot is a database in memory; a Replica is one with other values; Shrink and Refute make counterexamples small.
// A Suite is a folder of such databases. It knows no model and no run. Begin with Snapshot, facts.go and Replica.
package suite
