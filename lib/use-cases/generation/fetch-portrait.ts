/** Fetches portraits from addresses that clients name. */

import { ProviderBusy } from '../../domain/core/failures.ts'
import { invalidPortrait } from '../../domain/generation/presenter/presenter.ts'
import { type EgressPolicy, imagePolicy } from '../../egress/address-policy.ts'
import { AddressRefused, EgressFailed } from '../../egress/failures.ts'
import { type EgressResponse, sendRequest } from '../../egress/request.ts'
import { env } from '../../env.ts'
import { portraitUnfetchable } from './portrait-url.ts'

/** A photograph of a camera, hardly compressed. */
const portraitBytesMax = 10 * 1024 * 1024
const deadlineMs = 10_000

/** Throws a `Refusal` where no picture will ever be there, and `ProviderBusy` where there may be one the next time. */
export async function fetchPortrait(imageUrl: string): Promise<Uint8Array> {
  const policy = imagePolicy(env.allowLoopback())
  let url = imageUrl
  for (let redirects = 0; redirects <= policy.redirectsMax; redirects++) {
    const answer = await ask(url, policy)
    const { location } = answer.headers
    if (answer.status < 300 || answer.status >= 400 || !location) return pictureIn(answer)
    const next = URL.parse(location, url)
    if (!next) throw invalidPortrait('leads to something that is no URL')
    url = next.href
  }
  throw invalidPortrait(`leads on more than ${policy.redirectsMax} times`)
}

async function ask(url: string, policy: EgressPolicy): Promise<EgressResponse> {
  const headers = { accept: 'image/png,image/jpeg,image/webp', 'user-agent': 'Reelsmith' }
  try {
    return await sendRequest({ url, method: 'GET', headers, deadlineMs, bytesMax: portraitBytesMax }, policy)
  } catch (error) {
    if (error instanceof AddressRefused || isUnknownName(error)) throw portraitUnfetchable(error)
    // Anything else is a fault of ours.
    throw error instanceof EgressFailed ? new ProviderBusy(error.message, { cause: error }) : error
  }
}

/** The resolver did answer: there is no such name. */
const isUnknownName = (error: unknown): error is EgressFailed =>
  error instanceof EgressFailed && error.reason === 'unresolvable' && !error.isLocal

function pictureIn({ status, body, truncated }: EgressResponse): Uint8Array {
  if (mayPass(status)) throw new ProviderBusy(`The picture's address answers with the status ${status}.`)
  if (status !== 200) throw invalidPortrait(`answers with the status ${status} instead of a picture`)
  if (truncated) throw invalidPortrait(`is larger than ${portraitBytesMax} bytes`)
  return body
}

/** What a server says of itself or of the moment, not of the picture (RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section 4). */
const mayPass = (status: number) => status >= 500 || [408, 425, 429].includes(status)
