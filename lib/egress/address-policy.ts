/**
 * The policy for outbound requests to URLs that clients name: schemes, ports, hosts, address kinds and redirects. Only
 * public unicast addresses are allowed. Pure: resolves no name, opens no socket; `connection.ts` applies it to resolved
 * addresses.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { AddressRefused } from './failures.ts'

/** What is allowed beyond https to public addresses. */
export interface EgressPolicy {
  allowHttp: boolean
  /** 127.0.0.0/8 and ::1 in their plain spelling, and names below localhost. */
  allowLoopback: boolean
  /**
   * How many redirects the caller may follow, each checked like the first URL; 0 if absent. `sendRequest` itself
   * follows none.
   */
  redirectsMax?: number
  /**
   * Origin of a server that the operator has configured (`http://192.168.1.5:11434`): this scheme, host and port may be
   * plain http, loopback or private. Never from a client's input.
   */
  localOrigin?: string
}

export const isLocalOrigin = (url: URL, { localOrigin }: EgressPolicy): boolean => url.origin === localOrigin

/**
 * Webhook endpoints and platforms: https only, except in a deployment that allows loopback, where receivers have no
 * certificate.
 */
export const endpointPolicy = (allowLoopback: boolean): EgressPolicy => ({ allowHttp: allowLoopback, allowLoopback })

/**
 * Images by URL: plain http is allowed, since an image is validated and never trusted; image URLs often redirect to a
 * CDN.
 */
export const imagePolicy = (allowLoopback: boolean): EgressPolicy & { redirectsMax: number } => ({
  allowHttp: true,
  allowLoopback,
  redirectsMax: 3,
})

const defaultPorts: Record<string, string> = { 'https:': '443', 'http:': '80' }

/** System ports (RFC 6335, section 6) serve mail, DNS and SSH, which a client's request must not reach. */
const systemPortsEnd = 1024

/** Names that no public DNS resolves: RFC 6762, RFC 8375, and ICANN's reservation of .internal (2024). */
const localNames = /\.(?:local|internal|home\.arpa)$/
/** RFC 6761, section 6.3 */
export const isLoopbackName = (host: string): boolean => /(?:^|\.)localhost$/.test(host)
/** Letters, digits and hyphens (RFC 1123, section 2.1), and the underscore, which real names have. */
const label = /^[a-z0-9_-]{1,63}$/
const nameCharactersMax = 253

type Range = [kind: string, network: string, bits: number]

/**
 * The IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), with multicast (RFC 5771) and the reserved
 * rest (RFC 1112). Its few reachable anycast services are blocked as well.
 */
const specialIpv4: readonly Range[] = [
  ['unspecified', '0.0.0.0', 8], // RFC 791: "this network", which Linux connects to itself.
  ['private', '10.0.0.0', 8], // RFC 1918
  ['carrier-grade NAT', '100.64.0.0', 10], // RFC 6598; Alibaba's metadata service is 100.100.100.200.
  ['loopback', '127.0.0.0', 8], // RFC 1122
  ['cloud metadata', '168.63.129.16', 32], // Azure's platform services: public by number, answered inside Azure only.
  ['link-local', '169.254.0.0', 16], // RFC 3927; metadata is 169.254.169.254, task credentials are 169.254.170.2.
  ['private', '172.16.0.0', 12], // RFC 1918
  ['protocol assignment', '192.0.0.0', 24], // RFC 6890; Oracle's metadata service is 192.0.0.192.
  ['documentation', '192.0.2.0', 24], // RFC 5737
  ['AS112', '192.31.196.0', 24], // RFC 7535
  ['multicast tunnel', '192.52.193.0', 24], // RFC 7450
  ['6to4 relay', '192.88.99.0', 24], // RFC 7526
  ['private', '192.168.0.0', 16], // RFC 1918
  ['AS112', '192.175.48.0', 24], // RFC 7534
  ['benchmarking', '198.18.0.0', 15], // RFC 2544
  ['documentation', '198.51.100.0', 24], // RFC 5737
  ['documentation', '203.0.113.0', 24], // RFC 5737
  ['multicast', '224.0.0.0', 4],
  ['reserved', '240.0.0.0', 4],
]

/**
 * The only part of IPv6 that is assigned as global unicast (RFC 4291, section 2.4, and IANA's address space registry).
 */
const globalIpv6: Range = ['public', '2000::', 3]

/** The special parts of global unicast: the IANA IPv6 Special-Purpose Address Registry (RFC 6890 and its updates). */
const specialIpv6: readonly Range[] = [
  ['protocol assignment', '2001::', 23], // RFC 2928; with Teredo, 2001::/32 (RFC 4380), which carries an IPv4 address.
  ['documentation', '2001:db8::', 32], // RFC 3849
  ['6to4', '2002::', 16], // RFC 3056: carries an IPv4 address.
  ['AS112', '2620:4f:8000::', 48], // RFC 7534
  ['documentation', '3fff::', 20], // RFC 9637
]

/** All of these lie outside global unicast and are blocked anyway; the list only names their kinds. */
const namedIpv6: readonly Range[] = [
  ['loopback', '::1', 128],
  ['unspecified', '::', 128],
  ['IPv4-mapped', '::ffff:0:0', 96], // RFC 4291
  ['IPv4-compatible', '::', 96], // RFC 4291
  ['IPv4-translated', '::ffff:0:0:0', 96], // RFC 2765
  ['NAT64', '64:ff9b::', 96], // RFC 6052
  ['NAT64', '64:ff9b:1::', 48], // RFC 8215
  ['private', 'fc00::', 7], // RFC 4193; metadata of AWS is fd00:ec2::254.
  ['link-local', 'fe80::', 10], // RFC 4291
  ['site-local', 'fec0::', 10], // RFC 3879
  ['multicast', 'ff00::', 8], // RFC 4291
]

// One family per list: in a mixed list, Node's BlockList matches IPv4 addresses against rules for ::ffff:0:0/96.
const listOf = (family: 'ipv4' | 'ipv6', ranges: readonly Range[]) =>
  ranges.map(([kind, network, bits]) => {
    const list = new BlockList()
    list.addSubnet(network, bits, family)
    return { kind, has: (address: string) => list.check(address, family) }
  })

const listsIpv4 = listOf('ipv4', specialIpv4)
const listsIpv6 = [...listOf('ipv6', namedIpv6), ...listOf('ipv6', specialIpv6), ...listOf('ipv6', [globalIpv6])]

/** `public`, or the kind of special address; may be shown to clients. */
export function addressKind(address: string): string {
  if (isIPv4(address)) return listsIpv4.find(({ has }) => has(address))?.kind ?? 'public'
  // A zone (RFC 4007) is only valid on one link, and BlockList has no zones.
  if (!isIPv6(address) || address.includes('%')) return 'not an address of the Internet'
  return listsIpv6.find(({ has }) => has(address))?.kind ?? 'reserved'
}

/** What `localOrigin` opens. Link-local stays blocked: it holds the metadata services of clouds. */
const localKinds = ['loopback', 'private', 'carrier-grade NAT']

/** The kind of a blocked address; undefined for an allowed one. `isLocal`: the URL is that of `localOrigin`. */
export function blockedKind(address: string, policy: EgressPolicy, isLocal = false): string | undefined {
  const kind = addressKind(address)
  if (kind === 'public' || (kind === 'loopback' && policy.allowLoopback)) return undefined
  if (isLocal && localKinds.includes(kind)) return undefined
  return kind
}

/**
 * Parses a URL; throws `AddressRefused` for a disallowed scheme, credentials, port or host, in any spelling. Call it
 * when a URL is stored; `sendRequest` calls it again.
 */
export function checkUrl(text: string, policy: EgressPolicy): URL {
  // The parser normalises every spelling of an IPv4 address: octal, hexadecimal, one number, full width (WHATWG URL,
  // 3.5).
  const url = URL.parse(text)
  if (!url) throw new AddressRefused('This is not a URL.')
  const isLocal = isLocalOrigin(url, policy)
  const defaultPort = defaultPorts[url.protocol]
  if (!defaultPort || (url.protocol === 'http:' && !policy.allowHttp && !isLocal)) {
    throw new AddressRefused(`The URL must begin with https://${policy.allowHttp ? ' or http://' : ''}.`)
  }
  if (url.username || url.password) throw new AddressRefused('The URL must not contain a user name or a password.')
  if (url.port && Number(url.port) < systemPortsEnd) {
    throw new AddressRefused(`The port must be ${defaultPort} or at least ${systemPortsEnd}.`)
  }
  checkHost(hostOf(url), policy, isLocal)
  return url
}

/** The host without the brackets of IPv6 and the trailing dot of a fully qualified name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, '')

function checkHost(host: string, policy: EgressPolicy, isLocal: boolean): void {
  if (isIP(host)) {
    const kind = blockedKind(host, policy, isLocal)
    if (kind) throw new AddressRefused(`${host} is not a public address (${kind}).`)
    return
  }
  const labels = host.split('.')
  if (host.length > nameCharactersMax || !labels.every((part) => label.test(part))) {
    throw new AddressRefused('The host of the URL is not a valid name.')
  }
  if (isLocal) return
  if (isLoopbackName(host)) {
    if (policy.allowLoopback) return
    throw new AddressRefused(`${host} is not a public host (loopback).`)
  }
  if (labels.length === 1 || localNames.test(host)) {
    throw new AddressRefused(`${host} is not a public host (local network).`)
  }
}
