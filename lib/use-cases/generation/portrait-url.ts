/** Addresses of portraits that clients name: checked when they are named, and again on every way to their bytes. */
import { invalidPortrait } from '../../domain/generation/presenter/presenter.ts'
import { AddressRefused } from '../../egress/failures.ts'
import { checkUrl } from '../../egress/url.ts'
import { env } from '../../env.ts'

/** A picture may lie behind plain http: it is looked at, never believed. */
export const portraitEgressPolicy = () => ({ allowHttp: true, allowLoopback: env.allowLoopback() })

/** Refuses an address that can be seen to lead nowhere we go; what its name leads to is checked when it is fetched. */
export function refusePortraitUrl(imageUrl: string): void {
  try {
    checkUrl(imageUrl, portraitEgressPolicy())
  } catch (error) {
    throw error instanceof AddressRefused ? portraitUnfetchable(error) : error
  }
}

/** What egress says of an address may be shown. */
export const portraitUnfetchable = ({ message }: Error) =>
  invalidPortrait(`cannot be fetched: ${message.replace(/\.$/, '')}`)
