/**
 * The only HTTP client for platforms: one deadline, one bounded response, and errors that say whether the platform may
 * have acted. Follows no redirects: 308 is a regular response to an upload
 * (https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol).
 */
import type { EgressPolicy } from '../egress/address-policy.ts'
import { AddressRefused, EgressFailed } from '../egress/failures.ts'
import { type EgressDeps, type EgressResponse, sendRequest } from '../egress/request.ts'
import { NoResponse, NotSent } from './failures.ts'
import type { PlatformHttp, PlatformRequest } from './publisher.ts'

const defaultDeadlineMs = 20_000
const bytesMax = 4 * 1024 * 1024

/** `policy` must allow loopback and plain http only for a sandbox on this machine. */
export const createPlatformHttp =
  (policy: EgressPolicy, egress: EgressDeps = {}): PlatformHttp =>
  async (request) => {
    let isConnected = false
    const onConnected = () => {
      isConnected = true
    }
    const { status, headers, body, truncated } = await sendOnce(
      () => sendRequest(egressOf(request, onConnected), policy, egress),
      () => isConnected,
    )
    // A truncated response may lack the decisive part.
    if (truncated) throw new NoResponse(`The response of ${hostOf(request)} is larger than ${bytesMax / 1024 ** 2} MB.`)
    return { status, headers, body }
  }

const egressOf = ({ method, url, headers = {}, body, deadlineMs }: PlatformRequest, onConnected: () => void) => ({
  method,
  url,
  headers: { accept: 'application/json', 'user-agent': 'Reelsmith', ...headers },
  ...(body && { body }),
  onConnected,
  deadlineMs: deadlineMs ?? defaultDeadlineMs,
  bytesMax,
})

async function sendOnce(send: () => Promise<EgressResponse>, isConnected: () => boolean): Promise<EgressResponse> {
  try {
    return await send()
  } catch (error) {
    // Includes a request body that could not be read completely: a part of it was sent.
    if (isConnected()) throw new NoResponse(messageOf(error), { cause: error })
    if (error instanceof EgressFailed || error instanceof AddressRefused)
      throw new NotSent(error.message, { cause: error })
    throw error
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const hostOf = ({ url }: PlatformRequest) => URL.parse(url)?.host ?? 'The platform'
