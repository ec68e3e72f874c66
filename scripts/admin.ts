/**
 * `npm run admin -- COMMAND`: what the operator does, against the local run of DATA_DIR or, with `--stack NAME` and the
 * operator's own AWS credentials, against a deployed stack. `--json` prints the result for programs.
 */
import { parseArgs } from 'node:util'
import { Refusal } from '../lib/domain/refusal.ts'
import { type TextFlag, textFlags } from './admin/command.ts'
import { commands } from './admin/commands.ts'
import { useDeployment } from './admin/deployment.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    stack: { type: 'string' },
    sandbox: { type: 'boolean', default: false },
    test: { type: 'boolean', default: false },
    setting: { type: 'string', multiple: true },
    ...(Object.fromEntries(textFlags.map((name) => [name, { type: 'string' }])) as Record<
      TextFlag,
      { type: 'string' }
    >),
  },
})

const [noun, verb, argument, ...more] = positionals
const command = commands[`${noun} ${verb}`]
if (!command || more.length > 0 || (argument !== undefined) !== Boolean(command.hasArgument)) {
  const lines = Object.entries(commands).map(([name, { usage }]) => `  npm run admin -- ${name} ${usage}`)
  console.error(`${['Commands (each takes --json and --stack NAME):', ...lines].join('\n')}`)
  process.exit(2)
}

try {
  const deployment = await useDeployment(values.stack)
  const result = await command.run({ ...values, argument }, deployment)
  if (values.json) console.log(JSON.stringify(result))
  else for (const row of [result].flat()) show(row)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (values.json)
    console.log(JSON.stringify({ error: { code: error instanceof Refusal ? error.code : 'failed', message } }))
  else console.error(message)
  process.exitCode = 1
}

/** A list within a record is a table of its own, below it. */
function show(record: object): void {
  const isList = ([, value]: [string, unknown]) => Array.isArray(value)
  const fields = Object.entries(record)
  console.table(Object.fromEntries(fields.filter((field) => !isList(field))))
  for (const [, list] of fields.filter(isList)) if (list.length > 0) console.table(list)
}
