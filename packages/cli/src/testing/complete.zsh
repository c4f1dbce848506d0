# Types a line and the tab key into an interactive zsh, and prints the line it makes of it.
zmodload zsh/zpty
zpty z "PS1= PROMPT_EOL_MARK= zsh -f -i"
zpty -w z 'unsetopt zle_bracketed_paste 2>/dev/null; autoload -Uz compinit && compinit -u -D; eval "$(svc completion zsh)"; show() { print -r -- "<$BUFFER>"; exit }; zle -N show; bindkey "^X" show; print ready'
local line
while zpty -r z line; do [[ $line == *ready* && $line != *print* ]] && break; done
zpty -w -n z "$1"$'\t\x18'
while zpty -r z line; do print -r -- "$line"; [[ $line == *'<svc'* ]] && break; done
zpty -d z
