/** The services of the local run without its API and workers; the process that starts them uses them from then on. */
import { pipelineNames } from '../../../lib/infra/deployment-context.ts'
import { ttlAttribute } from '../../../lib/store/core/keys.ts'
import { tableDefinition } from '../../../lib/store/core/table-definition.ts'
import type { Definition } from '../../../local/emulators/step-functions.ts'
import { SEALING_KEY, TABLE_NAME } from '../../../local/environment.ts'
import { queues } from '../../../local/event-source-mappings/event-source-mappings.ts'
import { type Stack, startStack } from '../../../local/stack.ts'

/** Started executions stay in their first state. */
const idleMachine: Definition = { StartAt: 'Idle', States: { Idle: { Type: 'Wait', Seconds: 86_400, End: true } } }

/** `attributes` are set on the queues that have any. */
export async function startEmulators(
  directory: string,
  timeScale: number,
  attributes: Record<string, string> = {},
): Promise<Stack> {
  const unused = async () => {
    throw new Error('Nothing is started here.')
  }
  const stack = await startStack({
    directory,
    data: { table: tableDefinition(TABLE_NAME), ttlAttribute },
    queues: queues.map((queue) =>
      queue.attributes ? { ...queue, attributes: { ...queue.attributes, ...attributes } } : queue,
    ),
    keys: [SEALING_KEY],
    pipelines: {
      machines: Object.fromEntries(pipelineNames.map((name) => [name, idleMachine])),
      timeScale,
      work: { invoke: unused, command: () => ({ command: ['false'], onLine: () => {} }) },
    },
    scheduler: { schedules: [], invoke: unused },
    log: () => {},
  })
  Object.assign(process.env, stack.environment)
  return stack
}
