// Package runs makes runs: it asks an agent the items, scores the answers, and keeps each as soon as it is there.
//
// It knows which agents there are (Method; a new one is a row of agents), what a card says before a run begins
// (NewCard), how a run is gone on with and how it is verified. What an agent does is loop's matter, how answers are
// scored score's, how they are stored record's. Begin with Live.
package runs
