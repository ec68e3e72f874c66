/** A test that shows a rule of the specification. The document finds it by its id, so that is written out. */
import { it } from 'vitest'
import { type RuleId, rules } from './index.ts'

/** Shows one rule, or several that one sequence of calls shows. */
export function rule(ids: RuleId | RuleId[], show: () => Promise<void> | void): void {
  const named = [ids].flat()
  const said = rules.filter(({ id }) => named.includes(id)).map(({ statement: says }) => says)
  it(`${named.join(', ')}: ${said.join(' ')}`, show)
}
