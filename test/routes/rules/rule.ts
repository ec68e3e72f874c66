/** Defines a test that shows a rule of the specification. `scripts/docs.ts` finds it by its literal id. */
import { it } from 'vitest'
import { type RuleId, rules } from './index.ts'

/** Shows one rule, or several that one sequence of requests shows. */
export function rule(ids: RuleId | RuleId[], test: () => Promise<void> | void): void {
  const shown = [ids].flat()
  const statements = rules.filter(({ id }) => shown.includes(id)).map(({ statement }) => statement)
  it(`${shown.join(', ')}: ${statements.join(' ')}`, test)
}
