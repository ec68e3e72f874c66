// Matches requests to routes by the rules of API Gateway HTTP APIs.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html

interface RoutePattern {
  readonly method: string
  readonly path: string
}

interface RouteMatch<Route> {
  readonly route: Route
  readonly parameters: Readonly<Record<string, string>>
}

type Matcher<Route> = (method: string, rawPath: string) => RouteMatch<Route> | undefined

/**
 * Returns a function from method and raw path to the most specific route: literals before parameters, parameters before a greedy
 * `{rest+}`, a named method before ANY. It throws URIError if a parameter is not valid percent-encoding.
 */
export function routeMatcher<Route extends RoutePattern>(routes: readonly Route[]): Matcher<Route> {
  const compiled = routes.map(compile).sort((a, b) => (a.weight < b.weight ? -1 : a.weight > b.weight ? 1 : 0))
  return (method, rawPath) => {
    for (const { route, expression } of compiled) {
      if (route.method !== 'ANY' && route.method !== method) continue
      const found = expression.exec(rawPath)
      if (found) return { route, parameters: decoded(found.groups ?? {}) }
    }
    return undefined
  }
}

function decoded(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
}

function compile<Route extends RoutePattern>(route: Route) {
  const segments = route.path.split('/').map(compileSegment)
  return {
    route,
    expression: new RegExp(`^${segments.map((segment) => segment.source).join('/')}$`),
    weight: segments.map((segment) => segment.weight).join('') + (route.method === 'ANY' ? 'b' : 'a'),
  }
}

function compileSegment(segment: string): { source: string; weight: string } {
  const parameter = /^\{(?<name>\w+)(?<greedy>\+?)\}$/.exec(segment)?.groups
  if (!parameter && segment.includes('{'))
    throw new Error(`The path parameter ${segment} must have a name of letters and digits.`)
  if (!parameter) return { source: RegExp.escape(segment), weight: 'a' }
  return parameter.greedy
    ? { source: `(?<${parameter.name}>.+)`, weight: 'c' }
    : { source: `(?<${parameter.name}>[^/]+)`, weight: 'b' }
}
