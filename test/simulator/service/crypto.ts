/** `node:crypto` with seeded chance. */
export { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

export const randomBytes = (size: number): Buffer => Buffer.from(simulator.randomBytes(size))

export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}

export const randomInt = (from: number, to: number) => from + Math.floor(simulator.random() * (to - from))
