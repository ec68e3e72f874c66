/** The way to the platforms, by the one door that they have. */
import { env } from '../../env.ts'
import { platformHttp } from '../../platforms/http.ts'
import type { PlatformHttp } from '../../platforms/publisher.ts'

/** A sandbox on this machine is reached without TLS; wherever loopback is not allowed, nothing is. */
export const theWayToPlatforms = (): PlatformHttp =>
  platformHttp({ allowHttp: env.allowLoopback(), allowLoopback: env.allowLoopback() })

/** The same for whom nothing later than this is an answer. */
export function hurriedWay(msMax: number): PlatformHttp {
  const way = theWayToPlatforms()
  return (request) => way({ ...request, deadlineMs: Math.min(msMax, request.deadlineMs ?? msMax) })
}
