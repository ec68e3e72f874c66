/**
 * Opens the connection of a request. Every resolved address is checked, only checked addresses are dialled, and the
 * remote address is checked again before the first byte, TLS included. This defeats DNS rebinding.
 */
import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, isIPv6, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { blockedKind, type EgressPolicy, hostOf, isLocalOrigin, isLoopbackName } from './address-policy.ts'
import { AddressRefused, EgressFailed, errorCodeOf } from './failures.ts'

/** Resolves a name to all of its addresses, IPv4 and IPv6. */
export type Resolve = (host: string) => Promise<string[]>

/** A host with its checked addresses, any of which may be dialled. */
export interface DialTarget {
  host: string
  port: number
  addresses: string[]
}

/** Starts a TCP connection; the socket may still be connecting. */
export type Dial = (target: DialTarget) => Socket

/** Delay before the other address family is tried (RFC 8305: 2 s at most). */
const happyEyeballsDelayMs = 1_000

/** At most this many addresses of a host are tried per request. */
const addressesMax = 6

/**
 * Queries name servers directly. `dns.lookup` would occupy one of the process's four libuv threads, shared with file
 * access: a few names with unresponsive servers would block all other requests.
 */
export const resolveWith =
  (resolver: Resolver): Resolve =>
  async (host) => {
    // RFC 6761, section 6.3: not looked up.
    if (isLoopbackName(host)) return ['127.0.0.1', '::1']
    const lookups = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []))
    // Most names have no IPv6 address, so the IPv4 failure is the one to report.
    const failed = lookups.find((lookup) => lookup.status === 'rejected')
    if (found.length === 0 && failed) throw failed.reason
    return found
  }

/** Times out after about 4 s: the second try waits twice as long. */
export const resolveName = resolveWith(new Resolver({ timeout: 1_000, tries: 2 }))

/** The resolver of the system, which also knows `/etc/hosts` and mDNS. Only for servers of the operator. */
const resolveLocalName: Resolve = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address)

/** Tries the addresses in turn, without another lookup. */
export const dialAny: Dial = ({ host, port, addresses }) => {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return connect({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: happyEyeballsDelayMs,
    lookup: (_host, _options, callback) => callback(null, checked),
  })
}

/** A connection to an allowed address, with TLS for https. It is destroyed when the signal fires. */
export async function openConnection(
  url: URL,
  policy: EgressPolicy,
  { resolve, connect: dial }: { resolve: Resolve; connect: Dial },
  signal: AbortSignal,
): Promise<{ stream: Socket; address: string }> {
  const host = hostOf(url)
  const isLocal = isLocalOrigin(url, policy)
  const isBlocked = (address: string) => blockedKind(address, policy, isLocal) !== undefined
  const addresses = isIP(host) ? [host] : await resolveAllowed(host, isLocal ? resolveLocalName : resolve, isBlocked)
  // A lookup cannot be cancelled, so the deadline may have passed.
  signal.throwIfAborted()
  const socket = dial({ host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)), addresses })
  signal.addEventListener('abort', () => socket.destroy(), { once: true })
  // Errors reach the code that awaits the socket; one that nothing awaits must not end the process.
  socket.on('error', () => {})
  try {
    if (socket.connecting) await once(socket, 'connect')
  } catch (error) {
    throw new EgressFailed('connection', `The connection to ${host} failed (${errorCodeOf(error)}).`, error)
  }
  const address = socket.remoteAddress
  if (!address) throw new EgressFailed('connection', `The connection to ${host} failed (closed at once).`)
  if (isBlocked(address)) throw notPublicError(host, address)
  return { stream: url.protocol === 'https:' ? await startTls(socket, host) : socket, address }
}

/** One blocked address refuses the whole host: the others may be bait for DNS rebinding. */
async function resolveAllowed(
  host: string,
  resolve: Resolve,
  isBlocked: (address: string) => boolean,
): Promise<string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new EgressFailed('unresolvable', `The host ${host} cannot be resolved (${errorCodeOf(error)}).`, error)
  })
  if (addresses.length === 0) throw new EgressFailed('unresolvable', `The host ${host} has no address.`)
  const refused = addresses.find(isBlocked)
  if (refused !== undefined) throw notPublicError(host, refused)
  return addresses.slice(0, addressesMax)
}

const notPublicError = (host: string, address: string) =>
  new AddressRefused(`${host} leads to an address that is not public.`, address)

async function startTls(socket: Socket, host: string): Promise<Socket> {
  const secure = connectTls({
    socket,
    // The certificate must match the host. SNI takes names only, no addresses (RFC 6066, section 3).
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot disable it.
    rejectUnauthorized: true,
  })
  secure.on('error', () => {})
  try {
    await once(secure, 'secureConnect')
  } catch (error) {
    throw new EgressFailed('tls', `The TLS handshake with ${host} failed (${errorCodeOf(error)}).`, error)
  }
  return secure
}
