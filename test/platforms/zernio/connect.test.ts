/** Accounts connected through Zernio, with the API key of the operator. */
import { describe, expect, it } from 'vitest'
import { accountFromConnection, updateAccountSettings } from '../../../lib/domain/accounts/account-lifecycle.ts'
import { NoResponse } from '../../../lib/platforms/failures.ts'
import { zernioConnector } from '../../../lib/platforms/zernio/connect.ts'
import { zernioUrls } from '../../../lib/platforms/zernio/urls.ts'
import { useConnectorHarness } from '../shared/connector-harness.ts'

const harness = useConnectorHarness('youtube')
const ada = { externalId: '64e1f0000000000000000001', username: 'ada' }
const begun = () => ({
  connector: zernioConnector('youtube', { ...zernioUrls, ...harness.sandbox.urlsOf('youtube') }),
  key: harness.sandbox.issueToken('youtube', ada),
  place: harness.deps(),
})

describe('a Zernio account', () => {
  it('has the id that Zernio assigned, and its key does not expire', async () => {
    const { connector, key, place } = begun()
    const connected = await connector.connect(place.http, key, ada.externalId)
    expect(connected).toEqual({
      identity: { ...ada, displayName: 'ada', pictureUrl: null },
      tokens: { access: key, accessEndsAt: null, refresh: null, refreshEndsAt: null },
      settings: { via: 'zernio', zernioAccountId: ada.externalId },
    })
    expect(await connector.identify(place, key, connected.settings)).toEqual(connected.identity)
  })

  it('rejects a wrong key, and an account that Zernio does not have', async () => {
    const { connector, key, place } = begun()
    for (const [shown, id, message] of [
      ['sk_wrong', ada.externalId, 'Zernio refuses the key.'],
      [key, 'nobody', 'Zernio has no account nobody on YouTube.'],
    ] as const) {
      const refused = connector.connect(place.http, shown, id)
      await expect(refused).rejects.toMatchObject({ code: 'warning-publish-auth', message })
    }
  })

  it('is expired only by a refused key', async () => {
    const { connector, key, place } = begun()
    const settings = { via: 'zernio', zernioAccountId: 'nobody' }
    await expect(connector.identify(place, key, settings)).rejects.toThrow(NoResponse)
    expect(await connector.identify(place, 'sk_wrong', { ...settings, zernioAccountId: ada.externalId })).toBeNull()
  })

  it('is looked up at Zernio, and nowhere else', async () => {
    const { connector, key, place } = begun()
    const from = harness.sandbox.requestLog.list().length
    await connector.connect(place.http, key, ada.externalId)
    expect(harness.sandbox.requestLog.list().slice(from)).toMatchObject([{ op: 'zernio-accounts' }])
  })

  it('cannot replace one that is connected directly, because Zernio would receive its token', () => {
    const [at, profile] = ['2026-11-20T12:00:00.000Z', { workspaceId: 'wsp_1', id: 'prf_1' }]
    const identity = { ...ada, displayName: 'Ada', pictureUrl: null }
    const account = accountFromConnection(profile, 'youtube', undefined, { identity, settings: {} }, 'acc_1', at)
    for (const name of ['via', 'zernioAccountId']) {
      expect(() => updateAccountSettings(account, { [name]: 'zernio' }, at)).toThrow(/is read-only/)
    }
  })
})
