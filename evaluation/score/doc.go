// Package score judges one query, or one answer to one item.
//
// An Executor runs queries on a database and gives Outcomes; a Case is all that is needed to judge an answer; a
// Profile makes a Score of it, a Metric a Rate of many Scores. Beside that stand what needs Outcomes too: what is
// wrong with gold queries (Lint) and how two databases differ on them (DiffGolds). It knows nothing of models, agents
// and files of runs. Begin with Case and Profiles; a new metric is an entry of Metrics, a new profile one of Profiles.
package score
