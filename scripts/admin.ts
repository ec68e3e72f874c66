/**
 * `npm run admin -- COMMAND`: the operator's commands, run against the local run of DATA_DIR or, with `--stack NAME` and the
 * operator's AWS credentials, against a deployed stack. `--json` prints the result as JSON.
 */
import { Refusal } from '../lib/domain/core/refusal.ts'
import { selectDeployment } from './admin/deployment.ts'
import { parseAdminArguments } from './admin/parse-arguments.ts'
import { commands } from './admin/workspaces.ts'

const { json, stack, run, wrong } = parsedOrUsage()
if (!run) {
  if (wrong) console.error(wrong)
  const lines = Object.entries(commands).map(([name, { usage }]) => `  npm run admin -- ${name} ${usage}`)
  console.error(`${['Commands (each accepts --json and --stack NAME):', ...lines].join('\n')}`)
  process.exit(2)
}

try {
  const result = await run(await selectDeployment(stack))
  if (json) console.log(JSON.stringify(result))
  else for (const row of [result].flat()) show(row)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (json) console.log(JSON.stringify({ error: { code: error instanceof Refusal ? error.code : 'failed', message } }))
  else console.error(message)
  process.exitCode = 1
}

/** An unknown flag, `--help` among them, prints the list of commands. */
function parsedOrUsage() {
  try {
    return { ...parseAdminArguments(process.argv.slice(2)), wrong: undefined }
  } catch (error) {
    return { json: false, stack: undefined, run: undefined, wrong: (error as Error).message.split('. ')[0] }
  }
}

/** Prints a list within a record as a separate table below it. */
function show(record: object): void {
  const isList = ([, value]: [string, unknown]) => Array.isArray(value)
  const fields = Object.entries(record)
  console.table(Object.fromEntries(fields.filter((field) => !isList(field))))
  for (const [, list] of fields.filter(isList)) if (list.length > 0) console.table(list)
}
