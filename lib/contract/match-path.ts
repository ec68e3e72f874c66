/** Matches a request's method and path against the route table. */
import type { Method, Route } from './route.ts'
import { basePath, splitSignature } from './route.ts'
import * as routes from './routes.ts'

/** The methods of a path; empty where the table does not have the path. */
export const allowedMethods = (path: string): Method[] =>
  routesAt(path).map(({ signature }) => splitSignature(signature).method)

/** The row of a method and a path such as `/v1/videos/vid_1`. */
export const findRoute = (method: string, path: string): Route | undefined =>
  routesAt(path).find(({ signature }) => splitSignature(signature).method === method)

function routesAt(path: string): Route[] {
  const segments = path.split('/').filter(Boolean)
  const rows = Object.values<Route>(routes).filter(({ signature }) =>
    isPathOf(`${basePath}${splitSignature(signature).path}`.split('/').filter(Boolean), segments),
  )
  // A literal path wins: `/webhooks/deliveries` is not the endpoint with the id `deliveries`.
  const literal = rows.filter(({ signature }) => !signature.includes('{'))
  return literal.length > 0 ? literal : rows
}

const isPathOf = (pattern: string[], segments: string[]) =>
  pattern.length === segments.length && pattern.every((part, index) => part.startsWith('{') || part === segments[index])
