/**
 * `npm run admin -- COMMAND`: the operator's commands, run against the local run of DATA_DIR or, with `--stack NAME` and the
 * operator's AWS credentials, against a deployed stack. `--json` prints the result as JSON.
 */
import { Refusal } from '../lib/domain/core/refusal.ts'
import { silenceLog } from '../lib/log.ts'
import { selectDeployment } from './admin/deployment.ts'
import { helpText, parseAdminArguments, usageText } from './admin/parse-arguments.ts'
import { formatResult } from './admin/print-result.ts'

// Standard output is the result alone.
silenceLog()

const { json, stack, command, run, isHelp } = parsedOrExit()
if (isHelp) {
  console.log(helpText())
  process.exit(0)
}
if (!run) {
  console.error(command ? usageText(command) : `There is no such command.\n\n${helpText()}`)
  process.exit(2)
}

try {
  const result = await run(await selectDeployment(stack))
  console.log(json ? JSON.stringify(result) : formatResult(result, command?.empty))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (json) console.log(JSON.stringify({ error: { code: error instanceof Refusal ? error.code : 'failed', message } }))
  else console.error(message)
  process.exitCode = 1
}

/** Exits with 2 where a flag is unknown or belongs to another command. */
function parsedOrExit() {
  try {
    return parseAdminArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message.split('. To specify')[0]}\nnpm run admin -- help lists the commands.`)
    process.exit(2)
  }
}
