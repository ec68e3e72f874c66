/** The states of a run without errors: each is a billed transition. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface State {
  Type: string
  Next?: string
  End?: boolean
  Default?: string
  Choices?: { Next: string }[]
  ItemProcessor?: Definition
}
interface Definition {
  StartAt: string
  States: Record<string, State>
}

const read = (machine: string): Definition =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../state-machines', `${machine}.asl.json`), 'utf8'))

/**
 * The states of a run, with `choices` naming the next state of each Choice. Excludes the states of a Map's items. Throws if a choice is not in
 * the definition.
 */
export function happyPath(machine: string, choices: Record<string, string> = {}): string[] {
  const { StartAt, States } = read(machine)
  const path = [StartAt]
  for (;;) {
    const name = path.at(-1)!
    const state = States[name]
    if (!state) throw new Error(`The machine ${machine} has no state ${name}.`)
    if (state.Type === 'Succeed' || state.Type === 'Fail' || state.End) return path
    const next = state.Type === 'Choice' ? chosen(state, choices[name] ?? state.Default) : state.Next
    if (!next) throw new Error(`After ${name} the machine ${machine} goes nowhere.`)
    path.push(next)
  }
}

function chosen({ Choices = [], Default }: State, choice: string | undefined): string | undefined {
  return [...Choices.map(({ Next }) => Next), Default].find((next) => next === choice)
}

/** Transitions of one item of the publish machine with `steps` steps and a wait before each but the first. */
export function postingTransitions(steps: number): number {
  const names = Object.keys(read('publish').States.PostToAccounts?.ItemProcessor?.States ?? {})
  for (const name of ['TakeStep', 'ChooseWhatIsNext', 'WaitForPlatform', 'Posted'])
    if (!names.includes(name)) throw new Error(`Postings no longer pass ${name}.`)
  return steps * 2 + Math.max(steps - 1, 0) + 1
}
