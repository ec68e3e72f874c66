/** The tools of one connection: all, or those that its URL selects. */
import { Refusal } from '../domain/core/refusal.ts'
import { type Tool, type Toolset, toolsets } from './tool.ts'
import generated from './tools.json' with { type: 'json' }

export const allTools = generated as unknown as readonly Tool[]

type Query = Record<string, string | undefined>

/**
 * `toolsets` names some of them, separated by commas; `readonly` leaves only tools that change nothing.
 * @throws Refusal `invalid-request` for an unknown parameter or name.
 */
export function selectTools({ toolsets: list = '', readonly = 'false', ...others }: Query): readonly Tool[] {
  // A misspelt `readonly` would offer every tool. Not repeated: the name may be a key.
  if (Object.keys(others).length > 0)
    throw invalid('query', 'has an unknown parameter', ['key', 'workspaceId', 'toolsets', 'readonly'])
  const names = list.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
  const unknown = names.find((name) => !toolsets.includes(name as Toolset))
  if (unknown !== undefined)
    throw invalid('query.toolsets', 'must be names of toolsets, separated by commas', [...toolsets])
  if (!flags.includes(readonly)) throw invalid('query.readonly', 'must be a flag', flags)
  return allTools.filter(
    ({ toolset, listed }) =>
      (names.length === 0 || names.includes(toolset)) && (readonly !== 'true' || listed.annotations.readOnlyHint),
  )
}

const flags = ['true', 'false']

const invalid = (path: string, message: string, allowed: string[]) =>
  new Refusal('invalid-request', `${path} ${message}. Allowed: ${allowed.join(', ')}.`, {
    details: [{ path, message, allowed }],
  })
