/** The health of an account as views and the admin script show it. Nothing is decided or stored by it. */
import { secondsAfter } from '../core/time.ts'
import type { Account } from '../records/account.ts'

/** Health as the API reports it. `expiring`: will be `expired` within a week, publishing works until then. */
export const reportedHealths = ['connected', 'expiring', 'expired'] as const

type ReportedHealth = (typeof reportedHealths)[number]

const expiringWindowSeconds = 7 * 24 * 60 * 60

export const reportedHealth = ({ health, endsAt }: Pick<Account, 'health' | 'endsAt'>, now: string): ReportedHealth =>
  health === 'connected' && endsAt && endsAt <= secondsAfter(now, expiringWindowSeconds) ? 'expiring' : health
