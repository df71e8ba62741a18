/** The supported shells. */
export type Shell = 'bash' | 'fish' | 'zsh';

/**
 * The scripts that set up completion of `client-ts`. Candidates come from `client-ts __complete`: a
 * line per word, with a tab before its description, and a last line that starts with a colon and
 * has directives.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of client-ts for bash.
_client_ts() {
  local typed="\${COMP_LINE:0:COMP_POINT}" current line prefix
  local -a words
  read -ra words <<< "$typed"
  if [[ "$typed" == *[[:space:]] ]]; then words+=(""); fi
  current="\${words[\${#words[@]}-1]}"
  # Bash takes what follows = and : for a word of its own.
  prefix="\${current%"\${current##*[=:]}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default ;;
      :directories) compopt -o dirnames ;;
      :nospace) compopt -o nospace ;;
      :) ;;
      *)
        line="\${line%%$'\\t'*}"
        COMPREPLY+=("\${line#"$prefix"}")
        ;;
    esac
  done < <(client-ts __complete -- "\${words[@]:1}" 2> /dev/null)
}
complete -F _client_ts client-ts`,

  zsh: `#compdef client-ts
# Completion of client-ts for zsh.
_client_ts() {
  local line word about
  local -a found options
  while IFS= read -r line; do
    case "$line" in
      :files) _files; return ;;
      :directories) _files -/; return ;;
      :nospace) options=(-S '') ;;
      :) ;;
      *)
        word="\${line%%$'\\t'*}"
        about="\${line#*$'\\t'}"
        found+=("\${word//:/\\\\:}:$about")
        ;;
    esac
  done < <(client-ts __complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)
  _describe 'client-ts' found "\${options[@]}"
}
if [[ "$funcstack[1]" == _client_ts ]]; then _client_ts "$@"; else compdef _client_ts client-ts; fi`,

  fish: `# Completion of client-ts for fish.
function __client_ts_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (client-ts __complete -- $words[2..] 2> /dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':directories'
                __fish_complete_directories (commandline -ct)
            case ':*'
                continue
            case '*'
                echo $line
        end
    end
end
complete -c client-ts -f -a '(__client_ts_complete)'`,
};
