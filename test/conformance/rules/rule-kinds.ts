/** What stands in the tables: a rule in our own words, or one that is kept for the issue that it belongs to. */
export type Issue = 'publishing'

export interface Later {
  says: string
  later: Issue
}
export type Rules = Record<string, string | Later>

const keptFor =
  (later: Issue) =>
  (says: string): Later => ({ says, later })
export const forPublishing = keptFor('publishing')
