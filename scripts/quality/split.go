package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/loop/item"
)

// Spider's databases are split once, by name: of the 130 names in the order of their SHA-256 in hex the first 26 are
// check, which is only ever scored; the others are fit, with which rules, prompts, exemplars and adapters may be made.
var (
	//go:embed check.txt
	checkNames string
	//go:embed fit.txt
	fitNames string

	sides = map[string][]string{"check": strings.Fields(checkNames), "fit": strings.Fields(fitNames)}
)

// sideOf are Spider's items about the databases of one side, in the order of items.csv in its folder. Their IDs are
// SIDE-N, from 0. A database that is on neither side is an error: the split is of these 130.
func sideOf(folder, side string) ([]item.Item, error) {
	all, err := item.Load(filepath.Join(folder, "items.csv"))
	if err != nil {
		return nil, err
	}
	on := map[string]string{}
	for name, databases := range sides {
		for _, d := range databases {
			on[d] = name
		}
	}
	var items []item.Item
	for _, it := range all {
		switch on[it.Database] {
		case "":
			return nil, fmt.Errorf("%s: database %q is on neither side of the split", folder, it.Database)
		case side:
			it.ID = fmt.Sprintf("%s-%d", side, len(items))
			items = append(items, it)
		}
	}
	return items, nil
}

// printSide writes the items of one side to stdout, a line each.
func printSide(args []string) error {
	f := flag.NewFlagSet("items", flag.ContinueOnError)
	side := f.String("side", "", "check or fit")
	folder := f.String("spider", "", "folder of Spider in MySQL's dialect: items.csv and databases/")
	if err := f.Parse(args); err != nil {
		return err
	}
	if sides[*side] == nil || *folder == "" || f.NArg() != 0 {
		return errors.New("usage: quality items -side check|fit -spider FOLDER")
	}
	items, err := sideOf(*folder, *side)
	if err != nil {
		return err
	}
	return writeItems(os.Stdout, items)
}
