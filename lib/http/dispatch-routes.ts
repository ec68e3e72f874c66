/** The handler of a Lambda function that serves several routes. It must know none of them. */
import type { HttpHandler } from './endpoint.ts'

/** Loads the module of one route; Node caches it. */
type LoadRoute = () => Promise<{ handler: HttpHandler }>

/** Dispatches by the route key of API Gateway, such as `GET /v1/videos/{id}`. */
export const dispatchRoutes =
  (routes: Readonly<Record<string, LoadRoute>>): HttpHandler =>
  async (event, context) => {
    const load = Object.hasOwn(routes, event.routeKey) ? routes[event.routeKey] : undefined
    if (!load) throw new Error(`This function does not serve the route ${event.routeKey}.`)
    const { handler } = await load()
    return handler(event, context)
  }
