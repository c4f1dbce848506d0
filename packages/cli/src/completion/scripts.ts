import { COMPLETE_COMMAND } from './complete-command.ts';

// Bash parts `--env=dev` and `a:b` into several words: they are joined again before, and after only the last part counts.
const BASH = `# svc completion for bash: eval "$(svc completion bash)"
_svc_complete() {
  local line word joined=() out=() reply cut=""
  local i=1
  while [ "$i" -le "$COMP_CWORD" ]; do
    word="\${COMP_WORDS[i]}"
    if [ "\${#joined[@]}" -gt 0 ] && { [ "$word" = "=" ] || [ "$word" = ":" ] || [[ "\${COMP_WORDS[i-1]}" == [=:] ]]; }; then
      joined[\${#joined[@]}-1]="\${joined[\${#joined[@]}-1]}$word"
    else
      joined+=("$word")
    fi
    i=$((i + 1))
  done
  local current="\${joined[\${#joined[@]}-1]}"
  case "$current" in *[=:]*) cut="\${current%"\${current##*[=:]}"}" ;; esac
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default 2>/dev/null; return ;;
      :folders) compopt -o dirnames 2>/dev/null; return ;;
      "") ;;
      *) reply="\${line%%$'\\t'*}"; COMPREPLY+=("\${reply#"$cut"}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" ${COMPLETE_COMMAND} "\${joined[@]}" 2>/dev/null)
  case "\${COMPREPLY[0]}" in *[./]) [ "\${#COMPREPLY[@]}" -eq 1 ] && compopt -o nospace 2>/dev/null ;; esac
}
complete -F _svc_complete svc
`;

const ZSH = `#compdef svc
# svc completion for zsh: eval "$(svc completion zsh)", or this text as the file _svc in a folder of $fpath.
_svc() {
  local line text about
  local -a plain described opened
  while IFS= read -r line; do
    case "$line" in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      "") continue ;;
    esac
    text="\${line%%$'\\t'*}"
    about="\${line#*$'\\t'}"
    if [[ "$text" == *[./] ]]; then opened+=("$text")
    elif [[ "$line" == *$'\\t'* ]]; then described+=("\${text//:/\\\\:}:$about")
    else plain+=("$text"); fi
  done < <("\${words[1]}" ${COMPLETE_COMMAND} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#described} )) && _describe -V svc described
  (( \${#plain} )) && compadd -- "\${plain[@]}"
  (( \${#opened} )) && compadd -S '' -- "\${opened[@]}"
  return 0
}
if [ "\${funcstack[1]}" = "_svc" ]; then _svc "$@"; else compdef _svc svc; fi
`;

const FISH = `# svc completion for fish: svc completion fish | source
function __svc_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] ${COMPLETE_COMMAND} $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':folders'
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c svc -f -a '(__svc_complete)'
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
