/** The way to the platforms, by the one door that they have. */
import { endpointPolicy } from '../../egress/address-policy.ts'
import { env } from '../../env.ts'
import { createPlatformHttp } from '../../platforms/http.ts'
import type { PlatformHttp } from '../../platforms/publisher.ts'

/** A sandbox on this machine is reached without TLS; wherever loopback is not allowed, nothing is. */
export const platformClient = (): PlatformHttp => createPlatformHttp(endpointPolicy(env.allowLoopback()))

/** The same for whom nothing later than this is an answer. */
export function platformClientWithDeadline(msMax: number): PlatformHttp {
  const way = platformClient()
  return (request) => way({ ...request, deadlineMs: Math.min(msMax, request.deadlineMs ?? msMax) })
}
