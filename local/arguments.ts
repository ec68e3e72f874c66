// The arguments of `npm start`. Everything else is set by the environment.

import { parseArgs } from 'node:util'

export const usage = `Usage: npm start

  Runs the whole service on this machine until Ctrl-C. Settings come from the environment:

    PORT            the port of the API and the console (8787; 0 chooses a free one)
    DATA_DIR        the directory of all records and media (.local)
    TIME_SCALE      divides the waits of retries and pipelines (1)
    LOG             json for raw log lines instead of one line for each job
    OPENAI_API_KEY  a key, or OPENAI_BASE_URL a server, to write, draw, speak and listen with (docs/guides/providers.md)
    MAKERS          built-in to use no model server
    PROVIDERS       the provider of each capability, as JSON (docs/guides/providers.md)

  Example: PORT=8788 DATA_DIR=/tmp/reelsmith npm start`

export interface StartArguments {
  help: boolean
  /** Whether to use a model server of this machine. */
  findServers: boolean
}

/** @throws Error that names the first unknown argument. */
export function startArguments(args: readonly string[]): StartArguments {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', short: 'h' }, 'find-servers': { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  const unknown = tokens.find((token) => token.kind !== 'option' || !['help', 'find-servers'].includes(token.name))
  if (unknown) throw new Error(`it has no argument ${args[unknown.index]}. npm start -- --help shows its settings.`)
  return { help: values.help === true, findServers: values['find-servers'] === true }
}
