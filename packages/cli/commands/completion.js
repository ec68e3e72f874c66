/** `completion`: scripts for shells, which ask the hidden command `complete` for the words that may follow. */
import { globalFlags } from '../help.js'

/** @import { Command, Flag } from '../types.js' */

const scripts = /** @type {Record<string, string>} */ ({
  bash: `_reelsmith() {
  local IFS=$'\\n'
  COMPREPLY=($(reelsmith complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _reelsmith reelsmith`,
  zsh: `#compdef reelsmith
_reelsmith() {
  local -a found
  found=("\${(@f)$(reelsmith complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found" ]] && compadd -a found || _files
}
compdef _reelsmith reelsmith`,
  fish: `complete -c reelsmith -f -a '(reelsmith complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c reelsmith -l json -l download -r -F`,
})

/** @type {Command} */
export const completionCommand = {
  name: 'completion',
  summary: 'Print the script that completes commands and flags in a shell',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/reelsmith',
    'completion zsh > "${fpath[1]}/_reelsmith"',
    'completion fish > ~/.config/fish/completions/reelsmith.fish',
  ],
  positionals: [{ name: 'SHELL', values: Object.keys(scripts) }],
  flags: [],
  run: async ({ args, print }) => print.text(scripts[args.positionals[0] ?? ''] ?? ''),
}

/** The words that may stand at the last position. @param {Command[]} commands @param {string[]} words @returns {string[]} */
export function completions(commands, words) {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const command = commands.find(({ name }) => name.split(' ').every((word, index) => before[index] === word))
  if (!command) {
    const next = commands
      .map(({ name }) => name.split(' '))
      .filter((name) => before.every((word, index) => name[index] === word))
    return matching(
      next.flatMap((name) => name[before.length] ?? []),
      current,
    )
  }
  const flags = [...command.flags, ...globalFlags]
  const waiting = flagOf(before.at(-1), flags)
  if (waiting && waiting.kind !== 'boolean') return matching((waiting.values ?? []).map(String), current)
  if (current.startsWith('-'))
    return matching(
      flags.map(({ name }) => `--${name}`),
      current,
    )
  const rest = before.slice(command.name.split(' ').length)
  const position = rest.filter((word, index) => !word.startsWith('-') && !takesValue(rest[index - 1], flags)).length
  return matching(command.positionals[position]?.values ?? [], current)
}

/** @param {string | undefined} word @param {Flag[]} flags */
const flagOf = (word, flags) => flags.find(({ name }) => word === `--${name}`)

/** @param {string | undefined} word @param {Flag[]} flags */
function takesValue(word, flags) {
  const flag = flagOf(word, flags)
  return flag !== undefined && flag.kind !== 'boolean'
}

/** @param {string[]} words @param {string} start */
const matching = (words, start) => [...new Set(words)].filter((word) => word.startsWith(start)).sort()
