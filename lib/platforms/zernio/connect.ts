/**
 * Connects accounts through Zernio: the operator has one API key for all of them, which does not expire. `externalId`
 * is the id that Zernio assigned. https://docs.zernio.com/accounts/list-accounts
 */
import * as v from 'valibot'
import { type PlatformId, platformName } from '../../domain/core/platform.ts'
import type { AccountIdentity } from '../../domain/records/account.ts'
import { connectionRefused } from '../connect-failures.ts'
import { parseUnlessUnauthorized } from '../connect-responses.ts'
import type { ConnectedAccount, Connector } from '../connector.ts'
import { NoResponse } from '../failures.ts'
import type { PlatformHttp } from '../publisher.ts'
import { bearerHeader } from '../requests.ts'
import { zernioUrls } from './urls.ts'

const accountsResponse = v.object({
  accounts: v.array(
    v.object({
      _id: v.string(),
      platform: v.string(),
      username: v.nullish(v.string()),
      displayName: v.nullish(v.string()),
    }),
  ),
})

export interface ZernioConnector extends Connector {
  /** `zernioAccountId`: as shown by Zernio. */
  connect(http: PlatformHttp, key: string, zernioAccountId: string): Promise<ConnectedAccount>
}

export function zernioConnector(platform: PlatformId, urls = zernioUrls): ZernioConnector {
  /** Null if the key is rejected, undefined if it has no such account. */
  async function findAccount(http: PlatformHttp, key: string, id: string): Promise<AccountIdentity | null | undefined> {
    const response = await http({ method: 'GET', url: `${urls.zernio}/v1/accounts`, headers: bearerHeader(key) })
    const listed = parseUnlessUnauthorized(response, accountsResponse)
    if (!listed) return null
    const found = listed.accounts.find((account) => account.platform === platform && account._id === id)
    if (!found) return undefined
    const username = found.username || id
    return { externalId: id, username, displayName: found.displayName || username, pictureUrl: null }
  }

  return {
    platform,
    async connect(http, key, zernioAccountId) {
      const identity = await findAccount(http, key, zernioAccountId)
      if (identity === null) throw connectionRefused('Zernio refuses the key.')
      if (!identity) throw connectionRefused(`Zernio has no account ${zernioAccountId} on ${platformName(platform)}.`)
      const tokens = { access: key, accessEndsAt: null, refresh: null, refreshEndsAt: null }
      return { identity, tokens, settings: { via: 'zernio', zernioAccountId } }
    },
    refresh: async () => ({ kind: 'refused' }),
    async identify({ http }, key, { zernioAccountId = '' }) {
      const identity = await findAccount(http, key, zernioAccountId)
      // The list may have undocumented further pages: an account missing from it stays connected.
      if (identity === undefined) throw new NoResponse(`Zernio does not list the account ${zernioAccountId}.`)
      return identity
    },
  }
}
