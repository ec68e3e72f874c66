import { describe, expect, it } from 'vitest'
import { addressKind, blockedKind } from '../../lib/egress/address-policy.ts'
import { permissivePolicy, strictPolicy } from './scripted-receiver.ts'

const end = 'ffff:ffff:ffff:ffff'

describe('a special range', () => {
  // First and last address, and the public neighbours, so that a range that is too wide or too narrow is detected.
  it.each([
    ['0.0.0.0', '0.255.255.255', ['1.0.0.0']],
    ['10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
    ['100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
    ['127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
    ['168.63.129.16', '168.63.129.16', ['168.63.129.15', '168.63.129.17']],
    ['169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
    ['172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
    ['192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
    ['192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
    ['192.31.196.0', '192.31.196.255', ['192.31.195.255', '192.31.197.0']],
    ['192.52.193.0', '192.52.193.255', ['192.52.192.255', '192.52.194.0']],
    ['192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
    ['192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
    ['192.175.48.0', '192.175.48.255', ['192.175.47.255', '192.175.49.0']],
    ['198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
    ['198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
    ['203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
    ['224.0.0.0', '255.255.255.255', ['223.255.255.255']],
    ['::', `1fff:ffff:ffff:ffff:${end}`, ['2000::']],
    ['2001::', `2001:1ff:ffff:ffff:${end}`, [`2000:ffff:ffff:ffff:${end}`, '2001:200::']],
    ['2001:db8::', `2001:db8:ffff:ffff:${end}`, [`2001:db7:ffff:ffff:${end}`, '2001:db9::']],
    ['2002::', `2002:ffff:ffff:ffff:${end}`, [`2001:ffff:ffff:ffff:${end}`, '2003::']],
    ['2620:4f:8000::', `2620:4f:8000:ffff:${end}`, [`2620:4f:7fff:ffff:${end}`, '2620:4f:8001::']],
    ['3fff::', `3fff:fff:ffff:ffff:${end}`, [`3ffe:ffff:ffff:ffff:${end}`, '3fff:1000::']],
    ['4000::', `ffff:ffff:ffff:ffff:${end}`, [`3fff:ffff:ffff:ffff:${end}`]],
  ])('%s to %s is refused, and no address beyond', (first, last, neighbours) => {
    expect(addressKind(first)).not.toBe('public')
    expect(addressKind(last)).not.toBe('public')
    expect(neighbours.map(addressKind)).toEqual(neighbours.map(() => 'public'))
  })
})

describe('an address', () => {
  it.each([
    ['169.254.169.254', 'link-local'],
    ['169.254.170.2', 'link-local'],
    ['100.100.100.200', 'carrier-grade NAT'],
    ['192.0.0.192', 'protocol assignment'],
    ['168.63.129.16', 'cloud metadata'],
    ['240.0.0.1', 'reserved'],
    ['fd00:ec2::254', 'private'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['::7f00:1', 'IPv4-compatible'],
    ['::ffff:0:7f00:1', 'IPv4-translated'],
    ['64:ff9b::a9fe:a9fe', 'NAT64'],
    ['64:ff9b:1::a9fe:a9fe', 'NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:53aa:64c::1', 'protocol assignment'],
    ['fe80::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['5f00::1', 'reserved'],
    ['fe80::1%eth0', 'not an address of the Internet'],
    ['2606:4700::1111%eth0', 'not an address of the Internet'],
    ['127.1', 'not an address of the Internet'],
    ['localhost', 'not an address of the Internet'],
    ['', 'not an address of the Internet'],
  ])('%s is classified as %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind)
    expect(blockedKind(address, strictPolicy)).toBe(kind)
  })

  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::200e'])(
    '%s is public',
    (address) => {
      expect(blockedKind(address, strictPolicy)).toBeUndefined()
    },
  )

  it('of this machine is allowed when the operator allows loopback, in its canonical spelling only', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1'].map((address) => blockedKind(address, permissivePolicy))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(
      ['::ffff:127.0.0.1', '::7f00:1', '64:ff9b::7f00:1', '0.0.0.0', '10.0.0.1', '169.254.169.254'].every((address) =>
        blockedKind(address, permissivePolicy),
      ),
    ).toBe(true)
  })
})
