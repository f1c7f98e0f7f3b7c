# fish completion of nl2sql: nl2sql completion fish > ~/.config/fish/completions/nl2sql.fish
function __nl2sql_complete
	set -l before (commandline -opc)
	set -l last (commandline -ct)
	for line in (command $before[1] __complete -- $before[2..-1] $last 2>/dev/null)
		if test "$line" = :files
			set -l flag (string match -r '^(?:--[^=]*=)?(?:replay:)?' -- $last)
			for file in (__fish_complete_path (string replace -- "$flag" '' $last))
				echo $flag$file
			end
		else
			echo $line
		end
	end
end
complete -c nl2sql -f -a '(__nl2sql_complete)'
