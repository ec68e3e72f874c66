import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { isIPv4, isIPv6 } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveName, resolveWith } from '../../lib/egress/connection.ts'
import { dialsReceiver, getRequest, rejectionOf, strictPolicy } from './scripted-receiver.ts'

const [typeA, typeAaaa] = [1, 28]

/** The groups of a fully written IPv6 address, as bytes. */
const bytesOf = (address: string) =>
  isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
      )

/**
 * The response to a query for one name (RFC 1035, section 4.1): the query, with a record for each address of its
 * type.
 */
function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, 12) + 5
  const type = query.readUInt16BE(end - 4)
  const found = addresses.filter(
    (address) => (type === typeA && isIPv4(address)) || (type === typeAaaa && isIPv6(address)),
  )
  const head = Buffer.from(query.subarray(0, 12))
  // A response, recursion available, no error; this many answers, and no additional section.
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(found.length, 6)
  head.writeUInt32BE(0, 8)
  const records = found.map((address) => {
    const data = bytesOf(address)
    // Its name is the one at byte 12, its class is IN, its TTL is 0 seconds.
    return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
  })
  return Buffer.concat([head, query.subarray(12, end), ...records])
}

/** A name server on loopback, and its resolver; without addresses it never responds. */
async function nameServer(addresses?: readonly string[]) {
  const server = createSocket('udp4')
  let queries = 0
  server.on('message', (query, from) => {
    queries++
    if (addresses) server.send(answerTo(query, addresses), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const resolver = new Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  onTestFinished(() => {
    resolver.cancel()
    server.close()
  })
  return { resolve: resolveWith(resolver), asked: () => queries, listens: () => once(server, 'message') }
}

describe('a host name', () => {
  it.each([
    ['of both families', ['93.184.216.34', '2606:4700:0:0:0:0:0:1111'], ['93.184.216.34', '2606:4700::1111']],
    ['of IPv4 alone', ['93.184.216.34', '1.1.1.1'], ['93.184.216.34', '1.1.1.1']],
    ['of IPv6 alone', ['2606:4700:0:0:0:0:0:1111'], ['2606:4700::1111']],
  ])('%s resolves to every one of its addresses', async (_, addresses, found) => {
    const { resolve } = await nameServer(addresses)
    expect(await resolve('hooks.example.com')).toEqual(found)
  })

  it('without an address does not resolve', async () => {
    const { resolve } = await nameServer([])
    expect(await rejectionOf(getRequest('https://hooks.example.com/'), strictPolicy, { resolve })).toMatchObject({
      reason: 'unresolvable',
      message: 'The host hooks.example.com cannot be resolved (ENODATA).',
    })
  })

  it('whose server returns a private address is refused, in any address family', async () => {
    for (const addresses of [
      ['93.184.216.34', 'fd00:ec2:0:0:0:0:0:254'],
      ['2606:4700:0:0:0:0:0:1111', '10.0.0.1'],
    ]) {
      const { resolve } = await nameServer(addresses)
      const failure = await rejectionOf(getRequest('https://hooks.example.com/'), strictPolicy, {
        ...dialsReceiver(0),
        resolve,
      })
      expect(failure).toMatchObject({ name: 'AddressRefused' })
    }
  })

  it('below localhost is this machine, without a query to a server', async () => {
    const { resolve, asked } = await nameServer()
    expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1'])
    expect(await resolve('app.localhost')).toEqual(['127.0.0.1', '::1'])
    expect(await resolveName('localhost')).toEqual(['127.0.0.1', '::1'])
    expect(asked()).toBe(0)
  })

  it('whose server does not respond blocks no other operation: no file access, no other name', async () => {
    const silent = await nameServer()
    const heard = silent.listens()
    let over = 0
    const waiting = Array.from({ length: 20 }, (_, index) =>
      silent.resolve(`a${index}.example.com`).finally(() => over++),
    )
    const ended = Promise.allSettled(waiting)
    await heard
    await readFile(import.meta.filename)
    const { resolve } = await nameServer(['93.184.216.34'])
    expect(await resolve('hooks.example.com')).toEqual(['93.184.216.34'])
    expect(over).toBe(0)
    for (const end of await ended) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } })
  })

  it('with many addresses has all of them checked, and only a few dialled', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `93.184.${index >> 8}.${index & 255}`)
    const wires = dialsReceiver(1, ...many)
    await rejectionOf(getRequest('https://hooks.example.com/'), strictPolicy, wires)
    expect(wires.dialled).toMatchObject([{ addresses: many.slice(0, 6) }])
    expect(
      await rejectionOf(getRequest('https://hooks.example.com/'), strictPolicy, dialsReceiver(1, ...many, '10.0.0.1')),
    ).toMatchObject({
      name: 'AddressRefused',
    })
  })
})
