// Package runs makes runs: it asks an agent the items, scores the answers, and keeps each as soon as it is there.
//
// It knows what a card says before a run begins (Cards), how a run is gone on with and how it is verified. Which agents
// there are and how they are asked is loop/answer's matter, how answers are scored score's, how they are stored
// record's. Begin with Live.
package runs
