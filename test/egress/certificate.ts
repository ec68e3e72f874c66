/**
 * Certificates made at run time, so that the repository holds no private key. The encoding is DER (X.690, RFC 5280).
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const integer = (value: number) => der(0x02, Buffer.from([value]))
const identifier = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

const ecdsaWithSha256 = sequence(identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const commonName = identifier(0x55, 0x04, 0x03)
const subjectAltName = identifier(0x55, 0x1d, 0x11)
const dnsName = (name: string) => der(0x82, Buffer.from(name))
const ipAddress = (address: string) => der(0x87, Buffer.from(address.split('.').map(Number)))

const pem = (content: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(content).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** A self-signed certificate for a name or an IPv4 address, with this expiry. */
export function selfSigned(name: string, endsAt = new Date(Date.now() + 86_400_000)) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))))
  const alternatives = sequence(subjectAltName, der(0x04, sequence(isIPv4(name) ? ipAddress(name) : dnsName(name))))
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    subject,
    sequence(time(new Date(endsAt.getTime() - 172_800_000)), time(endsAt)),
    subject,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(alternatives)),
  )
  const signature = bits(sign('sha256', content, privateKey))
  return {
    cert: pem(sequence(content, ecdsaWithSha256, signature)),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
