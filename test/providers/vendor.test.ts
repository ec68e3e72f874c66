/** The HTTP client for vendors: the meaning of a status, what may be retried, and which responses are rejected. */
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OutcomeUnknown } from '../../lib/domain/core/failures.ts'
import { callVendor, downloadFromVendor, type Vendor } from '../../lib/providers/vendor.ts'
import type { RecordedRequest, FakeVendor as StandIn, VendorResponse } from '../support/fake-vendors/fake-vendor.ts'
import { startFakeVendor } from '../support/fake-vendors/fake-vendor.ts'

let standIn: StandIn
let answer: (call: RecordedRequest) => VendorResponse
beforeAll(async () => {
  standIn = await startFakeVendor((call) => answer(call))
})
afterAll(() => standIn.stop())
beforeEach(() => {
  standIn.calls.length = 0
  standIn.faults = []
  answer = () => ({ body: { id: 'one' } })
})

const vendor = (url = standIn.url): Vendor => ({
  name: 'Acme',
  url,
  headers: { authorization: 'Key secret' },
  reasonOf: (body) => (body as { reason?: string } | undefined)?.reason,
})
const schema = v.object({ id: v.string() })
const ask = (request: object = { body: { a: 1 } }) => callVendor(vendor(), { path: '/things?b=2', ...request }, schema)
const limits = { deadlineMs: 5_000, bytesMax: 1_000 }

describe('a vendor', () => {
  it('gets its key and JSON, and responds in a shape that is validated', async () => {
    expect(await ask()).toEqual({ id: 'one' })
    const [{ method, path, headers, body, query }] = standIn.calls as [RecordedRequest]
    expect([method, path, query.get('b'), body.toString()]).toEqual(['POST', '/things', '2', '{"a":1}'])
    expect(headers).toMatchObject({ authorization: 'Key secret', 'content-type': 'application/json' })
    await ask({})
    expect(standIn.calls[1]).toMatchObject({ method: 'GET' })
  })

  it('gets a file as the one field of a form', async () => {
    await ask({ file: { name: 'voice.wav', type: 'audio/wav', bytes: Buffer.from('\u0000RIFF') } })
    const [{ headers, body }] = standIn.calls as [RecordedRequest]
    const sent = new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } })
    const file = (await sent.formData()).get('file') as File
    expect([file.name, file.type, await file.text()]).toEqual(['voice.wav', 'audio/wav', '\u0000RIFF'])
  })

  it.each([
    [400, 'ProviderRejected', 'Acme rejected this (status 400).'],
    [401, 'AccountExpired', "Acme does not accept this deployment's account."],
    [402, 'AccountExpired', "Acme does not accept this deployment's account."],
    [403, 'AccountExpired', "Acme does not accept this deployment's account."],
    [404, 'ProviderRejected', 'Acme rejected this (status 404).'],
    [409, 'ProviderBusy', 'Acme is busy (status 409).'],
    [429, 'ProviderBusy', 'Acme is busy (status 429).'],
    [500, 'ProviderBusy', 'Acme is busy (status 500).'],
    [503, 'ProviderBusy', 'Acme is busy (status 503).'],
  ])('that responds with %i is reported as %s', async (status, name, message) => {
    standIn.faults = [{ status, body: 'a page' }]
    await expect(ask()).rejects.toMatchObject({ name, message })
  })

  it('reports a rejected account only to the operator', async () => {
    standIn.faults = [{ status: 401, body: { reason: 'This exceeds your quota.' } }]
    await expect(ask()).rejects.toMatchObject({
      message: "Acme does not accept this deployment's account.",
      cause: { message: 'Status 401: This exceeds your quota' },
    })
  })

  it('may give a reason for its refusal', async () => {
    standIn.faults = [{ status: 422, body: { reason: 'Too long.' } }]
    await expect(ask()).rejects.toThrow(/^Acme rejected this: Too long\.$/)
    standIn.faults = [{ status: 422, body: { reason: 'x'.repeat(100_000) } }]
    await expect(ask()).rejects.toThrow(/^Acme rejected this: x{499}…\.$/)
  })

  it.each([
    [true, 'breaks off after it was asked', 'lost'],
    [true, 'does not answer in time', 'silent'],
    [true, 'fails on the way', { status: 502 }],
    [true, 'answers in another shape', { body: { id: 7 } }],
    [true, 'answers with a page', { body: '<html></html>' }],
    [false, 'has too much to do', { status: 429 }],
    [false, 'is not in service', { status: 503 }],
  ] as const)('may have performed the request (%s) if it %s', async (maybe, _, fault) => {
    standIn.faults = [fault]
    const deadline = fault === 'silent' ? { deadlineMs: 2_000 } : {}
    const failure = await ask({ body: {}, ...deadline }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'ProviderBusy' })
    expect(failure instanceof OutcomeUnknown).toBe(maybe)
  })

  it('has performed nothing if it cannot be reached', async () => {
    const { url, stop } = await startFakeVendor(() => ({}))
    await stop()
    const failure = await callVendor(vendor(url), { path: '/', body: {} }, schema).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'ProviderBusy' })
    expect(failure).not.toBeInstanceOf(OutcomeUnknown)
  })

  it('is read up to a size limit', async () => {
    answer = () => ({ body: { id: 'x'.repeat(3 * 1024 ** 2) } })
    const failure = await ask({ bytesMax: 2 * 1024 ** 2 }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: 'The response of Acme is larger than 2 MB.' })
    // The status was a success: the request may have been performed.
    expect(failure).toBeInstanceOf(OutcomeUnknown)
  })

  it('is abandoned when the signal aborts', async () => {
    standIn.faults = ['silent']
    const stop = new AbortController()
    const asked = ask({ signal: stop.signal })
    await expect.poll(() => standIn.calls.length).toBe(1)
    stop.abort(new Error('Stop.'))
    await expect(asked).rejects.toThrow('Stop.')
    await expect(ask({ signal: stop.signal })).rejects.toThrow('Stop.')
  })
})

describe('a file of a vendor', () => {
  it('is fetched without the key, also after redirects', async () => {
    answer = ({ path }) =>
      path === '/first' ? { status: 302, headers: { location: '/second' } } : { body: Buffer.from('bytes') }
    const bytes = await downloadFromVendor(vendor(), `${standIn.url}/first`, limits)
    expect(Buffer.from(bytes).toString()).toBe('bytes')
    for (const { headers } of standIn.calls) expect(headers).not.toHaveProperty('authorization')
  })

  it('has a redirect limit', async () => {
    answer = () => ({ status: 302, headers: { location: '/again' } })
    await expect(downloadFromVendor(vendor(), `${standIn.url}/`, limits)).rejects.toMatchObject({
      name: 'ProviderRejected',
    })
    expect(standIn.calls).toHaveLength(4)
  })

  it('that is too large is refused', async () => {
    answer = () => ({ body: Buffer.alloc(1024 ** 2 + 1) })
    const options = { ...limits, bytesMax: 1024 ** 2 }
    await expect(downloadFromVendor(vendor(), `${standIn.url}/`, options)).rejects.toThrow('larger than 1 MB')
  })

  it.each([
    [403, 'ProviderRejected'],
    [404, 'ProviderRejected'],
    [429, 'ProviderBusy'],
    [500, 'ProviderBusy'],
  ])('whose address responds with %i is %s: that says nothing about the account', async (status, name) => {
    answer = () => ({ status })
    await expect(downloadFromVendor(vendor(), `${standIn.url}/`, limits)).rejects.toMatchObject({ name })
  })

  it.each(['http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd', 'https://localhost/', 'nonsense'])(
    'is not fetched from %s',
    async (address) => {
      const fetched = downloadFromVendor(vendor('https://api.acme.example'), address, limits)
      await expect(fetched).rejects.toMatchObject({ name: 'ProviderRejected' })
    },
  )
})
