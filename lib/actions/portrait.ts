/** Portraits from addresses that clients name: checked when they are named, and again on every way to their bytes. */
import { invalidPortrait } from '../domain/presenter.ts'
import { AddressRefused, EgressFailed } from '../egress/failures.ts'
import { type EgressAnswer, send } from '../egress/request.ts'
import { checkUrl } from '../egress/url.ts'
import { env } from '../env.ts'

/** A photograph of a camera, hardly compressed. */
export const portraitBytesMax = 10 * 1024 * 1024
const deadlineMs = 10_000
/** An address of a picture often leads to where it really lies. */
const redirectsMax = 3

/** A picture may lie behind plain http: it is looked at, never believed. */
const policy = () => ({ allowHttp: true, allowLoopback: env.allowLoopback() })

/** Refuses an address that can be seen to lead nowhere we go; what its name leads to is checked when it is fetched. */
export function refusePortrait(imageUrl: string): void {
  try {
    checkUrl(imageUrl, policy())
  } catch (error) {
    throw refusalOf(error)
  }
}

export async function fetchPortrait(imageUrl: string): Promise<Uint8Array> {
  let url = imageUrl
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const answer = await ask(url)
    const { location } = answer.headers
    if (answer.status < 300 || answer.status >= 400 || !location) return pictureIn(answer)
    const next = URL.parse(location, url)
    if (!next) throw invalidPortrait('leads to something that is no URL')
    url = next.href
  }
  throw invalidPortrait(`leads on more than ${redirectsMax} times`)
}

async function ask(url: string): Promise<EgressAnswer> {
  const headers = { accept: 'image/png,image/jpeg,image/webp', 'user-agent': 'Reelsmith' }
  try {
    return await send({ url, method: 'GET', headers, deadlineMs, bytesMax: portraitBytesMax }, policy())
  } catch (error) {
    throw refusalOf(error)
  }
}

function pictureIn({ status, body, truncated }: EgressAnswer): Uint8Array {
  if (status !== 200) throw invalidPortrait(`answers with the status ${status} instead of a picture`)
  if (truncated) throw invalidPortrait(`is larger than ${portraitBytesMax} bytes`)
  return body
}

/** What egress says of an address may be shown; anything else is a fault of ours. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof AddressRefused || error instanceof EgressFailed)) return error
  return invalidPortrait(`cannot be fetched: ${error.message.replace(/\.$/, '')}`)
}
