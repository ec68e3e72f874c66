/** Which addresses the service connects to: public unicast and nothing else. Pure: it resolves no name, opens no socket. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** What the operator allows beyond https to public addresses. */
export interface EgressPolicy {
  allowHttp: boolean
  /** 127.0.0.0/8 and ::1 in their plain spelling, and names below localhost. */
  allowLoopback: boolean
}

type Range = [kind: string, network: string, bits: number]

/**
 * The IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), with multicast (RFC 5771) and the reserved
 * rest (RFC 1112). The few anycast services in it that can be reached are no place for a webhook either.
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

/** Only this part of IPv6 is assigned as global unicast (RFC 4291, section 2.4, and IANA's address space registry). */
const globalIpv6: Range = ['public', '2000::', 3]

/** The special parts of global unicast: the IANA IPv6 Special-Purpose Address Registry (RFC 6890 and its updates). */
const specialIpv6: readonly Range[] = [
  ['protocol assignment', '2001::', 23], // RFC 2928; with Teredo, 2001::/32 (RFC 4380), which carries an IPv4 address.
  ['documentation', '2001:db8::', 32], // RFC 3849
  ['6to4', '2002::', 16], // RFC 3056: carries an IPv4 address.
  ['AS112', '2620:4f:8000::', 48], // RFC 7534
  ['documentation', '3fff::', 20], // RFC 9637
]

/** All of these lie outside global unicast and are refused for it; here they only get their names. */
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

// A list holds one family: in a mixed one, Node's BlockList matches IPv4 addresses against rules for ::ffff:0:0/96.
const listOf = (family: 'ipv4' | 'ipv6', ranges: readonly Range[]) =>
  ranges.map(([kind, network, bits]) => {
    const list = new BlockList()
    list.addSubnet(network, bits, family)
    return { kind, has: (address: string) => list.check(address, family) }
  })

const listsIpv4 = listOf('ipv4', specialIpv4)
const listsIpv6 = [...listOf('ipv6', namedIpv6), ...listOf('ipv6', specialIpv6), ...listOf('ipv6', [globalIpv6])]

/** What an address is for, in a word that may be shown: `public`, or what makes it none. */
export function addressKind(address: string): string {
  if (isIPv4(address)) return listsIpv4.find(({ has }) => has(address))?.kind ?? 'public'
  // A zone (RFC 4007) only has a meaning on one link, and BlockList knows no zones.
  if (!isIPv6(address) || address.includes('%')) return 'not an address of the Internet'
  return listsIpv6.find(({ has }) => has(address))?.kind ?? 'reserved'
}

/** The kind of an address that the service must not connect to; undefined for one that it may. */
export function blockedKind(address: string, policy: EgressPolicy): string | undefined {
  const kind = addressKind(address)
  if (kind === 'public' || (kind === 'loopback' && policy.allowLoopback)) return undefined
  return kind
}
