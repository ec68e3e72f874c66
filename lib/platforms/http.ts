/**
 * The one door to the platforms: one request, one deadline, one bounded answer, and a failure that says whether the platform may have
 * acted. It follows no redirect: an upload's 308 is an answer (https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol).
 */
import type { EgressPolicy } from '../egress/address-policy.ts'
import { AddressRefused, EgressFailed } from '../egress/failures.ts'
import { type EgressDeps, type EgressResponse, sendRequest } from '../egress/request.ts'
import { NoResponse, NotSent } from './failures.ts'
import type { PlatformHttp, PlatformRequest } from './publisher.ts'

const defaultDeadlineMs = 20_000
const bytesMax = 4 * 1024 * 1024

/** Loopback and plain http are for a sandbox on this machine alone. */
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
    // Half of an answer may lack what counts in it.
    if (truncated) throw new NoResponse(`${hostOf(request)} answers with more than ${bytesMax} bytes.`)
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

async function sendOnce(ask: () => Promise<EgressResponse>, isConnected: () => boolean): Promise<EgressResponse> {
  try {
    return await ask()
  } catch (error) {
    // A body that could not be read to its end was sent in part: that, too, is for the platform to say.
    if (isConnected()) throw new NoResponse(messageOf(error), { cause: error })
    if (error instanceof EgressFailed || error instanceof AddressRefused)
      throw new NotSent(error.message, { cause: error })
    throw error
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
const hostOf = ({ url }: PlatformRequest) => URL.parse(url)?.host ?? 'The platform'
