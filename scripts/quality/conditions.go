package main

import (
	"errors"
	"path/filepath"

	"nl2sql/loop/item"
)

// condition is one way to answer questions.
type condition struct {
	name    string
	before  string   // the condition that it is held against; where that was left out, the one before that
	flags   []string // of eval; without a glossary, which baseline has none of
	adapter bool     // only for models with a built-in adapter
}

// conditions in the order of the page. One whose flags the program does not know is left out.
var conditions = []condition{
	{"plain", "", []string{"--agent", "baseline", "--adapter", "none"}, false},
	{"default prompt without guards", "plain", []string{"--notes", "none", "--votes", "1", "--prompts", "default",
		"--guards", "none", "--adapter", "none"}, false},
	{"default prompt", "default prompt without guards", []string{"--notes", "none", "--votes", "1", "--prompts",
		"default", "--adapter", "none"}, false},
	{"default prompt with the original's guards", "default prompt", []string{"--notes", "none", "--votes", "1",
		"--prompts", "default", "--guards", "seed", "--adapter", "none"}, false},
	{"typed prompt without guards", "default prompt without guards", []string{"--notes", "none", "--votes", "1",
		"--prompts", "typed", "--guards", "none", "--adapter", "none"}, false},
	{"typed prompt", "default prompt", []string{"--notes", "none", "--votes", "1", "--prompts", "typed",
		"--adapter", "none"}, false},
	{"adapter without guards", "typed prompt without guards", []string{"--notes", "none", "--votes", "1", "--adapter",
		"auto", "--guards", "none"}, true},
	{"adapter", "typed prompt", []string{"--notes", "none", "--votes", "1", "--adapter", "auto"}, true},
	{"votes without guards", "adapter without guards", []string{"--notes", "none", "--votes", "5", "--adapter", "auto",
		"--guards", "none"}, false},
	{"votes without relink and reconstruction", "adapter", []string{"--notes", "none", "--votes", "5", "--adapter",
		"auto", "--without", "relink,reconstruct"}, false},
	{"votes without reconstruction", "votes without relink and reconstruction", []string{"--notes", "none", "--votes",
		"5", "--adapter", "auto", "--without", "reconstruct"}, false},
	{"votes", "votes without reconstruction", []string{"--notes", "none", "--votes", "5", "--adapter", "auto"}, false},
}

// set is a list of questions and where their databases are.
type set struct {
	name, what string
	items      func(f folders) ([]item.Item, error) // errMissing: what they are made of was not given
	at         func(f folders) []string             // flags of eval and report that name the databases
	missing    string                               // what to give
	needed     bool                                 // there is no page without it
}

// folders hold what is not part of nl2sql; "" was not given.
type folders struct {
	root   string // of nl2sql
	spider string
	known  string // items.json and classicmodels.sql
}

var errMissing = errors.New("not given")

// sets in the order of the page.
var sets = []set{
	{"check", "questions about 26 databases of Spider that nothing was made with", checkItems,
		func(f folders) []string { return []string{"--databases", filepath.Join(f.spider, "databases")} },
		"Spider's databases in MySQL's dialect: name their folder, with items.csv and databases/, by SPIDER=FOLDER",
		true},
	{"judging", "our questions about 12 databases of other trades that nothing was made with", judgingItems,
		func(f folders) []string { return []string{"--databases", filepath.Join(f.root, "evaluation/judging")} }, "",
		true},
	{"benchmark", "known: our own benchmark about the demo database, without its glossary", func(folders) ([]item.Item,
		error) {
		return item.Load("benchmark")
	},
		func(folders) []string { return []string{"--db", "embedded"} }, "", true},
	{"known", "known: the dissertation's items on the author's database", knownItems,
		func(f folders) []string {
			return []string{"--db", "author:embedded:" + filepath.Join(f.known, "classicmodels.sql")}
		},
		"the dissertation's items and the stock dump: name their folder, with items.json and classicmodels.sql, by " +
			"KNOWN=FOLDER", false},
}

func checkItems(f folders) ([]item.Item, error) {
	if f.spider == "" {
		return nil, errMissing
	}
	return sideOf(f.spider, "check")
}

func judgingItems(f folders) (all []item.Item, err error) {
	files, err := filepath.Glob(filepath.Join(f.root, "evaluation/judging/*.jsonl"))
	for _, file := range files {
		items, err := item.Load(file)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, err
}

func knownItems(f folders) ([]item.Item, error) {
	if f.known == "" {
		return nil, errMissing
	}
	return item.Load(filepath.Join(f.known, "items.json"))
}
