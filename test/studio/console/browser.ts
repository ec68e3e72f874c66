/** Opens the console in a headless Chromium, and records what a page must never do. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { chromiumPath } from '../preview-browser.ts'

let browser: Promise<Browser> | undefined

const launch = () =>
  chromium.launch({
    executablePath: chromiumPath!,
    // Chromium refuses its own sandbox to root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

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
  /** Answers requests below `/v1` in place of the service; undefined lets one through. */
  api?:
    | ((
        method: string,
        path: string,
        url: URL,
      ) => { status?: number; body: unknown; headers?: Record<string, string> } | undefined)
    | undefined
}

export async function openConsole({ baseUrl, apiKey, path = '/', api, ...options }: Options): Promise<ConsolePage> {
  browser ??= launch()
  const context = await (await browser).newContext({ viewport: { width: 1200, height: 900 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
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

/** The body of a refusal. */
export const refusal = (status: number, code: string, message: string, more: object = {}) => ({
  error: { status, code, message, requestId: 'req_1', ...more },
})
