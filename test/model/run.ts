/** Draws sequences by their seed, runs them, and shortens those that show a difference. */
import { seededRandom } from '../support/seeded-random.ts'
import { type Client, Difference, newClient } from './client.ts'
import { type Command, type CommandName, commandNames, finish, perform } from './commands.ts'
import type { PlanName } from './model.ts'
import type { Surroundings } from './service.ts'

export interface Sequence {
  seed: number
  plans: [PlanName, PlanName]
  commands: Command[]
}

const plans: readonly PlanName[] = ['self-hosted', 'pro', 'starter', 'free']
const numbersPerCommand = 24

export function drawSequence(seed: number, length: number): Sequence {
  const random = seededRandom(seed)
  // The first numbers of neighbouring seeds are alike.
  for (let skipped = 0; skipped < 20; skipped++) random(2)
  const numbers = () => Array.from({ length: numbersPerCommand }, () => random(1_000))
  const command = (): Command => ({
    name: commandNames[random(commandNames.length)]!,
    client: random(2),
    numbers: numbers(),
  })
  const plan = () => plans[random(plans.length)]!
  // Most commands need a video that is generated.
  const begin = (['create', 'endJob'] as const).flatMap((name) =>
    [0, 1].map((client) => ({ ...command(), name, client })),
  )
  const rest = Array.from({ length: length - begin.length }, command)
  return { seed, plans: [plan(), plan()], commands: [...begin, ...rest] }
}

export interface Outcome {
  sequence: Sequence
  requests: number
  events: number
  commands: Partial<Record<CommandName, number>>
  /** Answers by status. */
  answers: Record<string, number>
  /** The difference, with the requests that led to it. */
  difference?: { what: string; story: string[] }
}

/** Without its commands and its story. */
export type StoredOutcome = Omit<Outcome, 'sequence' | 'difference'> & { isDifferent: boolean }

export const storedOutcome = ({ sequence: _, difference, ...rest }: Outcome): StoredOutcome => ({
  ...rest,
  isDifferent: difference !== undefined,
})

/** Both clients at once, each with its own commands in their order. */
export async function runSequence(sequence: Sequence, surroundings: Surroundings): Promise<Outcome> {
  const clients = await Promise.all(sequence.plans.map((plan) => newClient(plan, surroundings)))
  const [one, two] = clients as [Client, Client]
  Object.assign(one, { other: two })
  Object.assign(two, { other: one })
  const commands: Outcome['commands'] = {}
  const ends = await Promise.allSettled(
    clients.map(async (client, index) => {
      for (const command of sequence.commands.filter((each) => each.client === index)) {
        client.log.push(`# ${command.name}`)
        commands[command.name] = (commands[command.name] ?? 0) + 1
        await perform(client, command)
      }
      await finish(client)
    }),
  )
  const failed = ends.findIndex(({ status }) => status === 'rejected')
  const answers: Outcome['answers'] = {}
  for (const status of clients.flatMap(({ statuses }) => statuses)) answers[status] = (answers[status] ?? 0) + 1
  const totals = {
    answers,
    requests: clients.reduce((sum, { statuses }) => sum + statuses.length, 0),
    events: clients.reduce((sum, { model }) => sum + model.events.length, 0),
  }
  if (failed < 0) return { sequence, commands, ...totals }
  const { reason } = ends[failed] as PromiseRejectedResult
  const what = reason instanceof Difference ? reason.message : (reason.stack ?? String(reason))
  return { sequence, commands, ...totals, difference: { what, story: clients[failed]!.log } }
}

const attemptsMax = 150

/** The shortest sequence found that still shows a difference: without more and more of its commands. */
export async function shrink(first: Outcome, surroundings: Surroundings): Promise<Outcome> {
  let best = first
  let attempts = 0
  for (
    let size = Math.ceil(best.sequence.commands.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < best.sequence.commands.length && attempts < attemptsMax; ) {
      attempts++
      const commands = best.sequence.commands.toSpliced(from, size)
      const outcome = await runSequence({ ...best.sequence, commands }, surroundings)
      if (outcome.difference) best = outcome
      else from += size
    }
  }
  return best
}

export function storyOf({ sequence: { seed, plans }, difference }: Outcome): string {
  const { what, story } = difference!
  return [`seed ${seed} (${plans.join(', ')}): ${what}`, ...story.slice(-40)].join('\n  ')
}
