/** Which URLs the service accepts from a client, as far as the URL itself tells. What its name leads to is checked at send. */
import { isIP } from 'node:net'
import { blockedKind, type EgressPolicy } from './address-policy.ts'
import { AddressRefused } from './failures.ts'

const defaultPorts: Record<string, string> = { 'https:': '443', 'http:': '80' }

/** Below it live the services that a stranger's request must not speak to: mail, DNS, SSH (RFC 6335, section 6). */
const systemPortsEnd = 1024

/** Names that no public DNS answers: RFC 6762, RFC 8375, and ICANN's reservation of .internal of 2024. */
const localNames = /\.(?:local|internal|home\.arpa)$/
/** RFC 6761, section 6.3 */
export const isLoopbackName = (host: string): boolean => /(?:^|\.)localhost$/.test(host)
/** Letters, digits and hyphens (RFC 1123, section 2.1), and the underscore, which real names have. */
const label = /^[a-z0-9_-]{1,63}$/
const nameCharactersMax = 253

/**
 * Reads a URL and refuses what the service must not talk to: scheme, credentials, port, and addresses in any spelling.
 * For the moment it is saved; `send` does it again.
 */
export function checkUrl(text: string, policy: EgressPolicy): URL {
  // The parser undoes every spelling of an IPv4 address: octal, hexadecimal, one number, full width (WHATWG URL, 3.5).
  const url = URL.parse(text)
  if (!url) throw new AddressRefused('This is not a URL.')
  const defaultPort = defaultPorts[url.protocol]
  if (!defaultPort || (url.protocol === 'http:' && !policy.allowHttp)) {
    throw new AddressRefused(`The URL must begin with https://${policy.allowHttp ? ' or http://' : ''}.`)
  }
  if (url.username || url.password) throw new AddressRefused('The URL must not contain a user name or a password.')
  if (url.port && Number(url.port) < systemPortsEnd) {
    throw new AddressRefused(`The port must be ${defaultPort} or at least ${systemPortsEnd}.`)
  }
  checkHost(hostOf(url), policy)
  return url
}

/** The host without what belongs to its spelling: the brackets of IPv6, the dot at the end of a full name. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, '')

function checkHost(host: string, policy: EgressPolicy): void {
  if (isIP(host)) {
    const kind = blockedKind(host, policy)
    if (kind) throw new AddressRefused(`${host} is not a public address (${kind}).`)
    return
  }
  const labels = host.split('.')
  if (host.length > nameCharactersMax || !labels.every((part) => label.test(part))) {
    throw new AddressRefused('The host of the URL is not a valid name.')
  }
  if (isLoopbackName(host)) {
    if (policy.allowLoopback) return
    throw new AddressRefused(`${host} is not a public host (loopback).`)
  }
  if (labels.length === 1 || localNames.test(host)) {
    throw new AddressRefused(`${host} is not a public host (local network).`)
  }
}
