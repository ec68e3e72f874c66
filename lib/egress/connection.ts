/**
 * Opens the one connection of a request: every address that the name leads to is checked, those and no others are dialled,
 * and the address at the other end is checked again before the first byte, TLS included. So a name that changes its mind
 * between the look-up and the connection gains nothing.
 */
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, isIPv6, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { blockedKind, type EgressPolicy } from './address-policy.ts'
import { AddressRefused, EgressFailed, errorCodeOf } from './failures.ts'
import { hostOf, isLoopbackName } from './url.ts'

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
const happyEyeballsDelayMs = 1_000

/** No name makes us knock at more doors than these in one attempt. */
const addressesMax = 6

/**
 * Asks name servers. `dns.lookup` would ask the system instead, on one of the four threads that the process has for all names
 * and files: a few names whose servers do not answer would hold up everybody.
 */
export const resolveWith =
  (resolver: Resolver): Resolve =>
  async (host) => {
    // RFC 6761, section 6.3: nobody is asked.
    if (isLoopbackName(host)) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    // Most names have no IPv6 address: the reason that counts is the one for IPv4.
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (found.length === 0 && failed) throw failed.reason
    return found
  }

/** Gives up after about 4 s: the second try waits twice as long. */
export const resolveName = resolveWith(new Resolver({ timeout: 1_000, tries: 2 }))

/** Tries the addresses one after the other. The name is never looked up a second time. */
export const dialAny: Dial = ({ host, port, addresses }) => {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return connect({
    host,
    port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: happyEyeballsDelayMs,
    lookup: (_host, _options, answer) => answer(null, checked),
  })
}

/** A connection to an allowed address, with TLS if the URL asks for it. It is destroyed when the signal fires. */
export async function openConnection(
  url: URL,
  policy: EgressPolicy,
  { resolve, connect: dial }: { resolve: Resolve; connect: Dial },
  signal: AbortSignal,
): Promise<{ stream: Socket; address: string }> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await resolveAllowed(host, policy, resolve)
  // The deadline may have passed while the name was looked up, which cannot be called off.
  signal.throwIfAborted()
  const socket = dial({ host, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)), addresses })
  signal.addEventListener('abort', () => socket.destroy(), { once: true })
  // Whoever waits for the socket hears of its errors; one that comes when nobody waits must not end the process.
  socket.on('error', () => {})
  try {
    if (socket.connecting) await once(socket, 'connect')
  } catch (error) {
    throw new EgressFailed('connection', `The connection to ${host} failed (${errorCodeOf(error)}).`, error)
  }
  const address = socket.remoteAddress
  if (!address) throw new EgressFailed('connection', `The connection to ${host} failed (closed at once).`)
  if (blockedKind(address, policy)) throw notPublicError(host, address)
  return { stream: url.protocol === 'https:' ? await startTls(socket, host) : socket, address }
}

/** One answer that is not allowed refuses the whole name: the others are bait. */
async function resolveAllowed(host: string, policy: EgressPolicy, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new EgressFailed('unresolvable', `The host ${host} cannot be resolved (${errorCodeOf(error)}).`, error)
  })
  if (addresses.length === 0) throw new EgressFailed('unresolvable', `The host ${host} has no address.`)
  const refused = addresses.find((address) => blockedKind(address, policy))
  if (refused !== undefined) throw notPublicError(host, refused)
  return addresses.slice(0, addressesMax)
}

const notPublicError = (host: string, address: string) =>
  new AddressRefused(`${host} leads to an address that is not public.`, address)

async function startTls(socket: Socket, host: string): Promise<Socket> {
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
    throw new EgressFailed('tls', `The TLS handshake with ${host} failed (${errorCodeOf(error)}).`, error)
  }
  return secure
}
