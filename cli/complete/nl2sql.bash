# bash completion of nl2sql: nl2sql completion bash > /usr/share/bash-completion/completions/nl2sql
_nl2sql() {
	local words=() rest=${COMP_LINE:0:COMP_POINT} i word gap line prefix files=
	for ((i = 0; i <= COMP_CWORD; i++)); do # bash cuts words at = and : too
		word=${COMP_WORDS[i]}
		[[ $i -eq $COMP_CWORD && $rest != *"$word"* ]] && word=${rest##*[[:space:]]}
		gap=${rest%%[![:space:]]*}
		rest=${rest#"$gap"}
		rest=${rest#"$word"}
		if [[ $i -gt 0 && -z $gap ]]; then words[-1]+=$word; else words+=("$word"); fi
	done
	local last=${words[-1]} cur=${COMP_WORDS[COMP_CWORD]}
	[[ $cur == [=:] ]] && cur=
	prefix=${last%"$cur"}
	COMPREPLY=()
	while IFS= read -r line; do
		if [[ $line == :files ]]; then
			files=1
			continue
		fi
		line=${line%%$'\t'*}
		[[ $line == *[=:,] ]] && compopt -o nospace
		line=${line#"$prefix"}
		[[ $line == *[!A-Za-z0-9_./:,=+@%-]* ]] && printf -v line %q "$line"
		[[ -n $line ]] && COMPREPLY+=("$line")
	done < <("${words[0]/#\~/$HOME}" __complete -- "${words[@]:1}" 2>/dev/null)
	if [[ -n $files ]]; then
		if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
			compopt -o default # bash's own, which quotes
		else
			local names
			mapfile -t names < <(compgen -f -- "$cur")
			COMPREPLY+=("${names[@]}")
			compopt -o filenames
		fi
	fi
}
complete -F _nl2sql nl2sql
