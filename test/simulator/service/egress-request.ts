/** `lib/egress/request.ts` without sockets: the address policy is real, the network is the simulator's. */
import { checkUrl, type EgressPolicy } from '../../../lib/egress/address-policy.ts'
import { EgressFailed } from '../../../lib/egress/failures.ts'
import type { EgressRequest, EgressResponse } from '../../../lib/egress/request.ts'

const none = new Uint8Array()
/** Enough for a PNG to be known as one. */
const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

export async function sendRequest(request: EgressRequest, policy: EgressPolicy): Promise<EgressResponse> {
  checkUrl(request.url, policy)
  const { method, url, headers, deadlineMs, body } = request
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : ''
  try {
    const { status, headers: responseHeaders } = await simulator.http({ method, url, headers, deadlineMs, body: text })
    const isRead = request.bytesMax > 0
    return {
      status,
      headers: responseHeaders,
      body: isRead ? picture : none,
      truncated: !isRead,
      address: '203.0.113.1',
    }
  } catch (error) {
    const { name, message } = error as Error
    throw new EgressFailed(name as 'timeout', message)
  }
}
