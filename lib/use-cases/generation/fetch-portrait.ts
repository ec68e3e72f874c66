/**
 * Fetches portraits and pictures from URLs that clients name, behind the egress policy. Called by
 * `store-client-pictures.ts` and, for presenters, by the container.
 */

import { ProviderBusy } from '../../domain/core/failures.ts'
import { invalidPortrait } from '../../domain/generation/presenter/presenter.ts'
import { type EgressPolicy, imagePolicy } from '../../egress/address-policy.ts'
import { AddressRefused, EgressFailed } from '../../egress/failures.ts'
import { type EgressResponse, sendRequest } from '../../egress/request.ts'
import { env } from '../../env.ts'
import { portraitUnfetchable } from './portrait-url.ts'

/** A camera photo with little compression. */
const portraitBytesMax = 10 * 1024 * 1024
const deadlineMs = 10_000

/** @throws Refusal where the URL will never return a picture, ProviderBusy where a retry may help. */
export async function fetchPortrait(imageUrl: string): Promise<Uint8Array> {
  const policy = imagePolicy(env.allowLoopback())
  let url = imageUrl
  for (let redirects = 0; redirects <= policy.redirectsMax; redirects++) {
    const response = await request(url, policy)
    const { location } = response.headers
    if (response.status < 300 || response.status >= 400 || !location) return pictureIn(response)
    const next = URL.parse(location, url)
    if (!next) throw invalidPortrait('redirects to an invalid URL')
    url = next.href
  }
  throw invalidPortrait(`redirects more than ${policy.redirectsMax} times`)
}

async function request(url: string, policy: EgressPolicy): Promise<EgressResponse> {
  const headers = { accept: 'image/png,image/jpeg,image/webp', 'user-agent': 'Reelsmith' }
  try {
    return await sendRequest({ url, method: 'GET', headers, deadlineMs, bytesMax: portraitBytesMax }, policy)
  } catch (error) {
    if (error instanceof AddressRefused || isUnknownName(error)) throw portraitUnfetchable(error)
    throw error instanceof EgressFailed ? new ProviderBusy(error.message, { cause: error }) : error
  }
}

/** The resolver responded that the name does not exist. */
const isUnknownName = (error: unknown): error is EgressFailed =>
  error instanceof EgressFailed && error.reason === 'unresolvable' && !error.isLocal

function pictureIn({ status, body, truncated }: EgressResponse): Uint8Array {
  if (isTemporary(status)) throw new ProviderBusy(`The URL of the picture responds with status ${status}.`)
  if (status !== 200) throw invalidPortrait(`responds with status ${status} instead of a picture`)
  if (truncated) throw invalidPortrait('is larger than 10 MB')
  return body
}

/**
 * Statuses about the server or the moment, not about the picture (RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section
 * 4).
 */
const isTemporary = (status: number) => status >= 500 || [408, 425, 429].includes(status)
