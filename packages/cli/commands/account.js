/** `login`, `logout` and `whoami`. */
import { usageFailure } from '../failure.js'
import {
  checkedUrl,
  checkKey,
  credentialsFile,
  deleteCredentials,
  profileName,
  readCredentials,
  writeCredentials,
} from '../profiles.js'
import { createPrompt } from '../prompt.js'
import { createApiClient } from '../requests.js'

/** @import { Account } from '../client/index.js' */
/** @import { Command, Connection, Context } from '../types.js' */

/** @type {Command[]} */
export const accountCommands = [
  {
    name: 'login',
    summary: 'Store an address and a key as a profile',
    details: [
      'Asks for the key without showing it, or reads it from stdin. The key is checked, then stored in ' +
        '$XDG_CONFIG_HOME/reelsmith/credentials.json (~/.config), which only you can read. It is never an argument.',
      'Commands use the profile of the last login; --profile and REELSMITH_PROFILE choose another one.',
    ],
    examples: [
      'login --base-url https://api.example.com/v1',
      'login --profile staging --base-url https://api.example.com/v1 < key.txt',
    ],
    positionals: [],
    flags: [
      {
        name: 'base-url',
        kind: 'string',
        placeholder: 'URL',
        description: 'Default: REELSMITH_BASE_URL, else you are asked.',
      },
    ],
    run: login,
  },
  {
    name: 'logout',
    summary: 'Delete a profile',
    details: ['Deletes the stored key. The key itself stays valid: only an operator can revoke it.'],
    examples: ['logout', 'logout --profile staging'],
    positionals: [],
    flags: [],
    run: logout,
  },
  {
    name: 'whoami',
    summary: 'Show the workspace of the key, its plan and its credits',
    examples: ['whoami', 'whoami --profile staging'],
    positionals: [],
    flags: [],
    run: async (context) => {
      const connection = context.connect()
      context.print.result(
        identity(connection, await createApiClient(context).account.get({ signal: context.io.signal })),
      )
    },
  },
]

/** @param {Context} context */
async function login(context) {
  const { io, args, print } = context
  const profile = profileOf(context)
  const prompt = createPrompt(io)
  try {
    const given = /** @type {string | undefined} */ (args.values['base-url']) ?? io.env.REELSMITH_BASE_URL
    if (!given && !io.stdin.isTTY) throw usageFailure('--base-url is missing: stdin has the key only.')
    const baseUrl = checkedUrl(
      given ?? (await prompt.ask('Address (such as https://api.example.com/v1): ')),
      '--base-url',
    )
    const apiKey = await prompt.askSecretly('Key (not shown): ')
    checkKey(apiKey, 'the input')
    const workspaceId = /** @type {string | undefined} */ (args.values.workspace)
    const connection = { baseUrl, apiKey, workspaceId, source: `the profile ${profile}` }
    const account = await createApiClient({ ...context, connect: () => connection }).account.get({ signal: io.signal })
    const credentials = readCredentials(io.env)
    const stored = { baseUrl, apiKey, ...(workspaceId && { workspaceId }) }
    writeCredentials(io.env, { current: profile, profiles: { ...credentials.profiles, [profile]: stored } })
    if (io.env.REELSMITH_API_KEY) print.note('REELSMITH_API_KEY is set: it takes precedence over the profile.')
    print.result({ ...identity(connection, account), file: credentialsFile(io.env) })
  } finally {
    prompt.close()
  }
}

/** @param {Context} context */
async function logout(context) {
  const { io, print } = context
  const { current, profiles } = readCredentials(io.env)
  const profile = profileOf(context, current)
  const { [profile]: removed, ...others } = profiles
  const [next] = Object.keys(others)
  if (!next) deleteCredentials(io.env)
  else if (removed) writeCredentials(io.env, { current: profile === current ? next : current, profiles: others })
  print.result({ profile, removed: removed !== undefined })
}

/** @param {Context} context @param {string} [otherwise] */
function profileOf({ args, io }, otherwise = 'default') {
  const name = /** @type {string | undefined} */ (args.values.profile) ?? io.env.REELSMITH_PROFILE ?? otherwise
  if (profileName.test(name)) return name
  throw usageFailure('--profile: a name has letters, digits, dots, dashes and underscores, at most 40.')
}

/** @param {Connection} connection @param {Account} account */
const identity = ({ source, baseUrl }, { workspace, plan, credits }) => ({
  source,
  baseUrl,
  workspace: { id: workspace.id, name: workspace.name },
  plan: plan.id,
  credits: credits.balance,
})
