/** Every page of the console in a real Chromium, with records that exist in the browser only. `npm run test:studio` runs it. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slotsAfter } from '../../../lib/domain/automations/slot-times.ts'
import type { RunningServer } from '../../../local/listen.ts'
import { closeBrowser, openConsole, refusal, serveStudio, skippedJourneys, whyJourneys } from './browser.ts'
import { answerOf, automation, health } from './fixtures.ts'

let studio: RunningServer
beforeAll(async () => {
  if (!skippedJourneys) studio = await serveStudio()
})
afterAll(async () => {
  await closeBrowser()
  await studio?.stop()
})

const paths = [
  '/',
  '/videos/vid_1',
  '/videos/new',
  '/automations',
  '/automations?view=calendar',
  '/automations/new',
  '/automations/vid_9',
  '/accounts',
  '/webhooks',
  '/webhooks/whk_1',
  '/keys',
  '/usage',
  '/nowhere',
]
const open = (path: string, options: Partial<Parameters<typeof openConsole>[0]> = {}) =>
  openConsole({ baseUrl: studio.url, apiKey: 'rs_live_page', path, api: answerOf, ...options })

async function settled(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** Two frames: the second begins when what the first changed is drawn. */
const framesDrawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))'
/** Of a dialog or menu that opens. */
const animationsEnded = `${framesDrawn}.then(() => Promise.all(
  document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished),
)).then(() => {})`

/** The rules of WCAG 2.2 A and AA, and of good practice. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`)
}

describe.skipIf(skippedJourneys)(`a page of the console${whyJourneys}`, () => {
  const looks = [
    { name: 'in light', options: { colorScheme: 'light' } },
    { name: 'in dark', options: { colorScheme: 'dark' } },
    { name: 'at 200 %', options: { viewport: { width: 600, height: 450 }, deviceScaleFactor: 2 } },
  ] as const
  /** A Sunday: the calendar also shows the six days before it. */
  const now = '2026-11-29T12:00:00.000Z'
  test.each(looks)('$name has no violation of axe, no error and no foreign request', async ({ options }) => {
    const found: Record<string, string[]> = {}
    for (const path of [...paths, 'sign-in']) {
      const isSignIn = path === 'sign-in'
      const { page, errors, foreign } = await open(isSignIn ? '/' : path, {
        ...options,
        now,
        ...(isSignIn && { apiKey: '' }),
      })
      await settled(page)
      const all = [...(await violationsOn(page)), ...errors, ...foreign]
      if (all.length > 0) found[path] = all
      await page.context().close()
    }
    expect(found).toEqual({})
  })

  test('dialogs and menus have no violation of axe', async () => {
    const found: string[] = []
    const look = async (path: string, ...names: string[]) => {
      const { page } = await open(path)
      await settled(page)
      for (const name of names) await page.getByRole('button', { name, exact: true }).click()
      await page.evaluate(animationsEnded)
      found.push(...(await violationsOn(page)).map((text) => `${path} ${names.join(' ')}: ${text}`))
      await page.context().close()
    }
    await look('/videos/vid_1', 'More')
    await look('/videos/vid_1', 'More', 'Delete')
    await look('/webhooks', 'New endpoint')
    await look('/webhooks/whk_1', 'Replay')
    await look('/accounts', 'Connect an account')
    await look('/keys', 'New key')
    expect(found).toEqual([])
  })

  test('fits windows of 360, 768 and 1,440 pixels', async () => {
    const wide: string[] = []
    for (const width of [360, 768, 1440]) {
      const { page } = await open('/', { viewport: { width, height: 900 } })
      for (const path of paths) {
        await page.goto(new URL(path, studio.url).href)
        await settled(page)
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(`${path} at ${width}`)
      }
      await page.context().close()
    }
    expect(wide).toEqual([])
  })

  test('shows what it loaded last without a network, and loads again when it is back', async () => {
    const { page } = await open('/')
    await page.getByText('8 videos').waitFor()
    await page.context().setOffline(true)
    await page.getByText('No network.').waitFor()
    await page.getByText('8 videos').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No network.').waitFor({ state: 'detached' })
  })

  const refusals = [
    [402, 'warning-no-credits', { action: 'credits' }, 'link', 'See usage and credits'],
    [409, 'job-in-progress', {}, 'button', 'Try again'],
    [409, 'warning-publish-no-accounts', { action: 'connect' }, 'link', 'Connect an account'],
    [429, 'rate-limited', {}, 'button', 'Try again'],
    [500, 'internal-error', {}, 'button', 'Try again'],
  ] as const
  test.each(refusals)('%i %s of a write leads to a sentence and an action', async (status, code, more, role, name) => {
    const { page } = await open('/videos/new', {
      api: (method, path, url) =>
        method === 'POST' && path === '/videos'
          ? { status, body: refusal(status, code, 'The reason in a sentence.', more) }
          : answerOf(method, path, url),
    })
    await page.getByRole('textbox', { name: 'Idea' }).fill('An idea')
    await page.getByRole('button', { name: 'Make the video' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(status === 429 ? 'The limit of requests is reached' : 'The reason in a sentence.').waitFor()
    await alert.getByRole(role, { name }).waitFor()
  })

  test('a repeat of a failed write sends the same idempotency key, a changed one another', async () => {
    const sent: string[] = []
    const { page } = await open('/videos/new', {
      api: (method, path, url) =>
        method === 'POST' && path === '/videos'
          ? { status: 503, body: refusal(503, 'unavailable', 'Later.') }
          : answerOf(method, path, url),
    })
    page.on('request', (request) => {
      const key = request.headers()['idempotency-key']
      if (key) sent.push(key)
    })
    await page.getByRole('textbox', { name: 'Idea' }).fill('An idea')
    await page.getByRole('button', { name: 'Make the video' }).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => sent.length).toBe(2)
    await page.getByRole('textbox', { name: 'Idea' }).fill('Another idea')
    await page.getByRole('button', { name: 'Make the video' }).click()
    await expect.poll(() => sent.length).toBe(3)
    expect(sent[1]).toBe(sent[0])
    expect(sent[2]).not.toBe(sent[0])
  })

  test('429 of a read says when it is repeated, and is', async () => {
    let count = 0
    const { page } = await open('/usage', {
      api: (method, path, url) =>
        path === '' || path === '/'
          ? count++ === 0
            ? { status: 429, body: refusal(429, 'rate-limited', 'Slow down.'), headers: { 'retry-after': '2' } }
            : answerOf(method, path, url)
          : answerOf(method, path, url),
    })
    await page.getByText(/Tries again in \d s\./).waitFor()
    await page.getByText('7,200 of 10,000').waitFor()
  })

  test('the ledger shows what each run cost, month by month', async () => {
    const { page } = await open('/usage', { now: '2026-11-29T12:00:00.000Z' })
    const entries = page.getByRole('list', { name: 'Ledger of November 2026' }).getByRole('listitem')
    await entries.first().waitFor()
    expect(await entries.count()).toBe(4)
    await entries.filter({ hasText: '10,000 credits' }).getByText('Granted').waitFor()
    await entries.filter({ hasText: '3 avatar credits' }).getByText('Released').waitFor()
    await page.getByRole('button', { name: 'Month before' }).click()
    await page.getByRole('heading', { name: 'Ledger of October 2026' }).waitFor()
    await page.getByText('No credits moved').waitFor()
    await page.getByRole('button', { name: 'Month after' }).click()
    await entries.first().waitFor()
  })

  test('401 ends the session with a sentence, and the sign-in returns to the page', async () => {
    let isRevoked = false
    const { page } = await open('/usage', {
      api: (method, path, url) =>
        isRevoked ? { status: 401, body: refusal(401, 'unauthorized', 'No.') } : answerOf(method, path, url),
    })
    await page.getByText('7,200 of 10,000').waitFor()
    isRevoked = true
    await page.evaluate('dispatchEvent(new Event("online"))')
    await page.getByRole('alert').getByText('no longer accepts this key').waitFor()
    isRevoked = false
    await page.getByLabel('API key').fill('rs_live_other')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Usage and credits' }).waitFor()
  })

  test('a key without the scope for keys says so', async () => {
    const { page } = await open('/keys', {
      api: (method, path, url) =>
        path === '/keys'
          ? { status: 403, body: refusal(403, 'missing-scope', 'Needs admin.') }
          : answerOf(method, path, url),
    })
    await page.getByRole('heading', { name: 'This key may not manage keys' }).waitFor()
  })
})

test.skipIf(skippedJourneys)(`10,000 videos scroll with a document of constant size${whyJourneys}`, async () => {
  const { page } = await open('/', { api: (method, path, url) => answerOf(method, path, url, 10_000) })
  await page.getByText('10,000 videos').waitFor()
  const sizes: number[] = []
  for (let step = 0; step <= 40; step++) {
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${step / 40})`)
    await page.evaluate(framesDrawn)
    sizes.push((await page.evaluate('document.querySelectorAll("*").length')) as number)
  }
  await page.getByRole('link', { name: 'Video 10000' }).waitFor()
  expect(Math.max(...sizes)).toBeLessThan(1_000)
  expect(await page.getByRole('listitem').count()).toBeLessThan(60)
})

test.skipIf(skippedJourneys)(
  `the calendar shows the slots of the service across a change of the clocks, in a zone unlike the browser's${whyJourneys}`,
  async () => {
    const now = '2026-10-30T12:00:00.000Z'
    const { schedule, id } = automation
    // On 1 November clocks of New York show 01:30 twice.
    const expected = slotsAfter(schedule, id, now, 30).map(({ at }) => at)
    const { page } = await open('/automations?view=calendar', {
      timezoneId: 'Asia/Tokyo',
      now,
      api: (method, path, url) => {
        if (path === `/automations/${id}/health`)
          return { body: { data: { ...health, upcoming: expected.slice(0, 5) } } }
        return answerOf(method, path, url)
      },
    })
    await page.getByLabel('Time zone').selectOption(schedule.timezone)
    await page.locator('[data-at]').first().waitFor()
    const drawn = (await page.evaluate(
      '[...document.querySelectorAll("[data-at]")].map((link) => [link.dataset.at, link.querySelector("time").textContent])',
    )) as [string, string][]
    const later = drawn.filter(([at]) => at > now)
    // A hidden day would move all later ones below another weekday.
    expect(await page.locator('.calendar > li:visible').count()).toBe(5 * 7)
    expect(later.slice(0, 30).map(([at]) => at)).toEqual(expected)
    expect(new Set(later.map(([, text]) => text))).toEqual(new Set(['01:30', '02:30']))
  },
)
