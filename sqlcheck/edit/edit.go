// Package edit is the one kit for syntax trees whose names are bound: joins, query blocks, conditions and
// expressions, read and changed. It knows no rule, no question and no policy: guards, doubts and suites say what they
// want, edit says how a tree is made so. Begin with the file of what is to be changed. It imports bind, schema and
// syntax.
package edit
