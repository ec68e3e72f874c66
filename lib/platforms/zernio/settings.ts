/** The setting that marks an account as connected through Zernio. */
import type { AccountSettings } from '../connector.ts'

/** The token of such an account is a Zernio API key, which must be sent to no other host. */
export const isViaZernio = ({ via }: AccountSettings): boolean => via === 'zernio'
