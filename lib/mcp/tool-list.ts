/** The tools of one connection: all, or those that its URL selects. */
import { Refusal } from '../domain/core/refusal.ts'
import { type Tool, type Toolset, toolsets } from './tool.ts'
import generated from './tools.json' with { type: 'json' }

export const allTools = generated as unknown as readonly Tool[]

/**
 * `toolsets` names some of them, separated by commas; `readonly` leaves only tools that change nothing.
 * @throws Refusal `invalid-request` for an unknown name.
 */
export function selectTools(query: Record<string, string | undefined>): readonly Tool[] {
  const names = (query.toolsets ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  const unknown = names.find((name) => !toolsets.includes(name as Toolset))
  if (unknown !== undefined) throw invalid('query.toolsets', `must be some of ${toolsets.join(', ')}`, [...toolsets])
  const { readonly = 'false' } = query
  if (!flags.has(readonly)) throw invalid('query.readonly', 'must be true or false', ['true', 'false'])
  return allTools.filter(
    ({ toolset, listed }) =>
      (names.length === 0 || names.includes(toolset)) && (!flags.get(readonly) || listed.annotations.readOnlyHint),
  )
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['', true],
  ['false', false],
  ['0', false],
])

const invalid = (path: string, message: string, allowed: string[]) =>
  new Refusal('invalid-request', `${path} ${message}.`, { details: [{ path, message, allowed }] })
