#compdef nl2sql
# zsh completion of nl2sql: nl2sql completion zsh > a folder of $fpath, as _nl2sql
_nl2sql() {
	local -a lines words_ listed open
	local line word help files=
	words_=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
	lines=("${(@f)$(${(Q)words[1]} __complete -- "${words_[@]}" 2>/dev/null)}")
	for line in "${lines[@]}"; do
		if [[ $line == :files ]]; then
			files=1
		elif [[ -n $line ]]; then
			word=${line%%$'\t'*} help=${line#*$'\t'}
			line=${word//:/\\:}${help:+:$help}
			if [[ $word == *[=:,] ]]; then open+=("$line"); else listed+=("$line"); fi
		fi
	done
	local found=1
	(( $#listed )) && _describe -V nl2sql listed && found=0
	(( $#open )) && _describe -V nl2sql open -S '' && found=0
	if [[ -n $files ]]; then
		[[ $PREFIX == --*=* ]] && compset -P '*='
		[[ $PREFIX == replay:* ]] && compset -P 'replay:'
		_files && found=0
	fi
	return found
}
if [[ $funcstack[1] == _nl2sql ]]; then
	_nl2sql "$@"
else
	compdef _nl2sql nl2sql
fi
