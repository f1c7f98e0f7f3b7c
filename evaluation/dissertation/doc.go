// Package dissertation makes the published table again: the database that the author's runs saw, the grid of runs, and
// the figures that were printed, beside ours.
//
// The original is the author's program, and its recorded files are read by record. Nothing else imports this package
// but commands. Begin with Open and Reproduce.
package dissertation
