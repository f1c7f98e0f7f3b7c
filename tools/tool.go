// Package tools implements the actions that a model may take.
// It does not know the loop: a tool reads an Env and returns an Observation.
package tools
