package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// formula writes a formula for Homebrew on Linux, of the archives in a folder.
func formula(args []string) error {
	f := flag.NewFlagSet("formula", flag.ContinueOnError)
	version := f.String("version", "", "of the archives")
	home := f.String("home", "", "address of the project")
	from := f.String("from", "", "address of the folder that will hold the archives")
	out := f.String("out", "dist", "folder of the archives")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *version == "" || *home == "" || *from == "" || f.NArg() != 0 {
		return errors.New("usage: dist formula -version V -home URL -from URL [-out FOLDER]")
	}
	of := struct{ Version, Number, Home, From, AMD64, ARM64 string }{Version: *version, Home: *home,
		Number: strings.TrimPrefix(*version, "v"), From: strings.TrimSuffix(*from, "/")}
	for arch, to := range map[string]*string{"amd64": &of.AMD64, "arm64": &of.ARM64} {
		text, err := os.ReadFile(filepath.Join(*out, archiveName(*version, arch)+".tar.gz"))
		if err != nil {
			return err
		}
		*to = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	var b strings.Builder
	if err := ruby.Execute(&b, of); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(*out, "nl2sql.rb"), []byte(b.String()), 0o644)
}

var ruby = template.Must(template.New("formula").Parse(`class Nl2sql < Formula
  desc "Turns a question into one safe MySQL SELECT, runs it and shows the rows"
  homepage "{{.Home}}"
  version "{{.Number}}"
  license "Apache-2.0"

  depends_on :linux

  on_intel do
    url "{{.From}}/nl2sql-{{.Version}}-linux-amd64.tar.gz"
    sha256 "{{.AMD64}}"
  end
  on_arm do
    url "{{.From}}/nl2sql-{{.Version}}-linux-arm64.tar.gz"
    sha256 "{{.ARM64}}"
  end

  def install
    bin.install "nl2sql"
    man1.install "nl2sql.1"
    bash_completion.install "completions/nl2sql.bash" => "nl2sql"
    zsh_completion.install "completions/nl2sql.zsh" => "_nl2sql"
    fish_completion.install "completions/nl2sql.fish"
    pkgshare.install "licences", "nl2sql.cdx.json"
  end

  test do
    assert_match "ok", shell_output("#{bin}/nl2sql check 'SELECT COUNT(*) FROM orders'")
  end
end
`))
