/**
 * `npm run admin -- COMMAND`: what the operator does, against the local run of DATA_DIR or, with `--stack NAME` and the
 * operator's own AWS credentials, against a deployed stack. `--json` prints the result for programs.
 */
import { parseArgs } from 'node:util'
import { Refusal } from '../lib/domain/refusal.ts'
import { commands } from './admin/commands.ts'
import { useDeployment } from './admin/deployment.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    stack: { type: 'string' },
    name: { type: 'string' },
    plan: { type: 'string' },
    organization: { type: 'string' },
    workspace: { type: 'string' },
    key: { type: 'string' },
    credits: { type: 'string' },
    unit: { type: 'string' },
  },
})

const command = commands[positionals.join(' ')]
if (!command) {
  const lines = Object.entries(commands).map(([name, { usage }]) => `  npm run admin -- ${name} ${usage}`)
  console.error(`${['Commands (each takes --json and --stack NAME):', ...lines].join('\n')}`)
  process.exit(2)
}

try {
  await useDeployment(values.stack)
  const result = await command.run(values)
  if (values.json) console.log(JSON.stringify(result))
  else for (const row of [result].flat()) console.table(row)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (values.json)
    console.log(JSON.stringify({ error: { code: error instanceof Refusal ? error.code : 'failed', message } }))
  else console.error(message)
  process.exitCode = 1
}
