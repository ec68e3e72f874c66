/** The check that `callApi` runs on each response of the suite: a handler refuses only with codes that its row declares. */
import { describe, expect, it } from 'vitest'
import { assertDeclaredRefusal } from '../support/declared-refusals.ts'

const refusal = (code: string) => ({ error: { code } })

describe('a refusal', () => {
  it.each([
    ['POST', '/videos', 'warning-no-credits'],
    ['POST', '/videos', 'invalid-request'],
    ['GET', '/videos/vid_1', 'not-found'],
    ['GET', '/webhooks/deliveries?limit=x', 'invalid-request'],
    ['GET', '/', 'unauthorized'],
    ['POST', '/videos/vid_1/render', 'internal-error'],
    ['GET', '/nothing/here', 'not-found'],
    ['GET', '/videos/', 'not-found'],
  ])('of %s %s with %s is declared', (method, path, code) => {
    expect(() => assertDeclaredRefusal(method, path, refusal(code))).not.toThrow()
  })

  it.each([
    ['GET', '/videos/vid_1', 'warning-no-credits', 'GET /videos/{id}'],
    ['POST', '/videos', 'not-found', 'POST /videos'],
    ['GET', '/webhooks/deliveries?limit=1', 'conflict', 'GET /webhooks/deliveries'],
    ['POST', '/videos/vid_1/render?x=1', 'warning-invalid-input', 'POST /videos/{id}/render'],
  ])('of %s %s with %s is not, and names the row', (method, path, code, row) => {
    expect(() => assertDeclaredRefusal(method, path, refusal(code))).toThrow(`${row} refused with "${code}"`)
  })

  it('is not a response with data', () => {
    expect(() => assertDeclaredRefusal('GET', '/videos/vid_1', { data: {} })).not.toThrow()
    expect(() => assertDeclaredRefusal('DELETE', '/videos/vid_1', undefined)).not.toThrow()
  })
})
