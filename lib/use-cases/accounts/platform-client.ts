/**
 * Creates the HTTP client for platforms, behind the egress policy. Called by the use cases that connect accounts and
 * publish.
 */
import { endpointPolicy } from '../../egress/address-policy.ts'
import { env } from '../../env.ts'
import { createPlatformHttp } from '../../platforms/http.ts'
import type { PlatformHttp } from '../../platforms/publisher.ts'

/** Plain HTTP is allowed only where loopback is: for the local sandbox. */
export const platformClient = (): PlatformHttp => createPlatformHttp(endpointPolicy(env.allowLoopback()))

/** The same with an upper bound for the deadline of each request. */
export function platformClientWithDeadline(msMax: number): PlatformHttp {
  const http = platformClient()
  return (request) => http({ ...request, deadlineMs: Math.min(msMax, request.deadlineMs ?? msMax) })
}
