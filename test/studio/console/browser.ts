/** Opens the console in a headless Chromium, and records what a page must never do. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startHttpApi } from '../../../local/emulators/api-gateway/http-api.ts'
import type { RunningServer } from '../../../local/listen.ts'
import { studioServer } from '../../../local/studio.ts'
import { buildStudio } from '../../../scripts/studio.ts'
import { chromiumPath, launchChromium, skipped } from '../preview-browser.ts'

/** What only `npm run test:studio` runs. */
export const skippedJourneys = !process.env.STUDIO || !chromiumPath
export const whyJourneys = process.env.STUDIO ? skipped : ' (npm run test:studio runs it)'

/**
 * For a render that hangs. Half a minute of video takes 30 s on two idle processors and minutes on busy ones, since renders have a low
 * priority.
 */
export const renderMsMax = 600_000

let browser: Promise<Browser> | undefined

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

export interface ConsolePage {
  page: Page
  /** URLs that belong neither to the service nor to its stored files. */
  foreign: string[]
  /** Errors of the program and of the policy. Failed requests are not among them. */
  errors: string[]
}

interface Options extends BrowserContextOptions {
  baseUrl: string
  /** Signs in with it. */
  apiKey?: string
  path?: string
  /** The time of the page. */
  now?: string
  /** Answers requests below `/v1` in place of the service; undefined lets one through. */
  api?:
    | ((
        method: string,
        path: string,
        url: URL,
      ) => { status?: number; body: unknown; headers?: Record<string, string> } | undefined)
    | undefined
}

export async function openConsole({
  baseUrl,
  apiKey,
  path = '/',
  now,
  api,
  ...options
}: Options): Promise<ConsolePage> {
  browser ??= launchChromium()
  const context = await (await browser).newContext({ viewport: { width: 1200, height: 900 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  if (now) await page.clock.setFixedTime(now)
  const foreign: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && hostname !== '127.0.0.1') foreign.push(request.url())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) errors.push(text)
  })
  if (api)
    await page.route('**/v1/**', async (route) => {
      const url = new URL(route.request().url())
      const answer = api(route.request().method(), url.pathname.slice('/v1'.length), url)
      if (!answer) return route.continue()
      await route.fulfill({
        status: answer.status ?? 200,
        headers: { 'content-type': 'application/json', ...answer.headers },
        body: JSON.stringify(answer.body),
      })
    })
  const url = new URL(path, baseUrl)
  if (apiKey) url.hash = `key=${apiKey}`
  await page.goto(url.href)
  return { page, foreign, errors }
}

/** The pages without a service: a test answers for the API. */
export const serveStudio = (): Promise<RunningServer> =>
  startHttpApi({
    ...{ port: 0, basePath: '/v1', routes: [], log: () => {} },
    fallback: async () => ({ statusCode: 404, body: '{}' }),
    pages: studioServer(buildStudio, 'http://127.0.0.1:9/'),
  })

/** The body of a refusal. */
export const refusal = (status: number, code: string, message: string, more: object = {}) => ({
  error: { status, code, message, requestId: 'req_1', ...more },
})
