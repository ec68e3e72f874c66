/** Which rows of the table a path belongs to. */
import type { Method, Route } from './route.ts'
import { splitSignature } from './route.ts'
import * as routes from './routes.ts'

/** The version segment in which every path of this contract begins. */
export const basePath = '/v1'

/** The methods that a path takes; none where the table does not know it. */
export function allowedMethods(path: string): Method[] {
  const segments = path.split('/').filter(Boolean)
  const rows = Object.values<Route>(routes)
    .map(({ signature }) => splitSignature(signature))
    .filter((row) => isPathOf(`${basePath}${row.path}`.split('/').filter(Boolean), segments))
  // A path that is spelled out is nobody's id.
  const literal = rows.filter((row) => !row.path.includes('{'))
  return (literal.length > 0 ? literal : rows).map(({ method }) => method)
}

const isPathOf = (pattern: string[], segments: string[]) =>
  pattern.length === segments.length && pattern.every((part, index) => part.startsWith('{') || part === segments[index])
