// Package rescore takes recorded answers again: their SQL is scored anew, and each difference is told with its cause
// (Runs); or the text that the model wrote is put through other guards, and scored before and after (Reguard).
//
// It needs databases and no model. Begin with Answer, which both rest on.
package rescore
