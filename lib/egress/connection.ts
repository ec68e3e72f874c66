/**
 * Opens the one connection of a request: every address that the name leads to is checked, those and no others are dialled,
 * and the address at the other end is checked again before the first byte, TLS included. So a name that changes its mind
 * between the look-up and the connection gains nothing.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { type EgressPolicy, refusedKind } from './address.ts'
import { AddressRefused, codeOf, EgressFailed } from './failures.ts'
import { hostOf } from './url.ts'

/** All addresses of a name, IPv4 and IPv6. */
export type Resolve = (host: string) => Promise<string[]>

/** The checked addresses of a host, any of which will do. */
export interface DialTarget {
  host: string
  port: number
  addresses: string[]
}

/** Begins to open a TCP connection; the socket may still be connecting. */
export type Dial = (target: DialTarget) => Socket

/** A host that is not reachable over IPv6 costs this long before IPv4 is tried, and the reverse (RFC 8305: 2 s at most). */
const attemptMs = 1_000

export const resolveName: Resolve = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)

/** Tries the addresses one after the other. The name is never looked up a second time. */
export const dialAny: Dial = ({ host, port, addresses }) => {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return connect({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
    lookup: (_host, _options, answer) => answer(null, checked),
  })
}

/** A connection to an allowed address, with TLS if the URL asks for it. It is destroyed when the signal fires. */
export async function openConnection(
  url: URL,
  policy: EgressPolicy,
  { resolve, connect: dial }: { resolve: Resolve; connect: Dial },
  signal: AbortSignal,
): Promise<{ stream: Duplex; address: string }> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await addressesOf(host, policy, resolve)
  // The deadline may have passed while the name was looked up, which cannot be called off.
  signal.throwIfAborted()
  const socket = dial({ host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)), addresses })
  signal.addEventListener('abort', () => socket.destroy(), { once: true })
  // Whoever waits for the socket hears of its errors; one that comes when nobody waits must not end the process.
  socket.on('error', () => {})
  try {
    if (socket.connecting) await once(socket, 'connect')
  } catch (error) {
    throw new EgressFailed('connection', `The connection to ${host} failed (${codeOf(error)}).`, error)
  }
  const address = socket.remoteAddress
  if (!address) throw new EgressFailed('connection', `The connection to ${host} failed (closed at once).`)
  if (refusedKind(address, policy)) throw notPublic(host, address)
  return { stream: url.protocol === 'https:' ? await secured(socket, host) : socket, address }
}

/** One answer that is not allowed refuses the whole name: the others are bait. */
async function addressesOf(host: string, policy: EgressPolicy, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new EgressFailed('unresolvable', `The host ${host} cannot be resolved (${codeOf(error)}).`, error)
  })
  if (addresses.length === 0) throw new EgressFailed('unresolvable', `The host ${host} has no address.`)
  const refused = addresses.find((address) => refusedKind(address, policy))
  if (refused !== undefined) throw notPublic(host, refused)
  return addresses
}

const notPublic = (host: string, address: string) =>
  new AddressRefused(`${host} leads to an address that is not public.`, address)

async function secured(socket: Socket, host: string): Promise<Duplex> {
  const secure = connectTls({
    socket,
    // The name that the certificate must have; a name, but no address, is also sent as SNI (RFC 6066, section 3).
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot switch it off.
    rejectUnauthorized: true,
  })
  secure.on('error', () => {})
  try {
    await once(secure, 'secureConnect')
  } catch (error) {
    throw new EgressFailed('tls', `The TLS handshake with ${host} failed (${codeOf(error)}).`, error)
  }
  return secure
}
