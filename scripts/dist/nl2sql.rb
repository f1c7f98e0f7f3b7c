class Nl2sql < Formula
  desc "Turns a question into one safe MySQL SELECT, runs it and shows the rows"
  homepage "@HOMEPAGE@"
  version "@NUMBER@"
  license "Apache-2.0"

  depends_on :linux

  on_intel do
    url "@RELEASES@/nl2sql-@VERSION@-linux-amd64.tar.gz"
    sha256 "@amd64@"
  end
  on_arm do
    url "@RELEASES@/nl2sql-@VERSION@-linux-arm64.tar.gz"
    sha256 "@arm64@"
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
