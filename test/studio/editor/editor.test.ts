/** The editor in a real Chromium, against the service: what is typed is seen, saved and rendered. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { VideoResource } from '../../../lib/contract/resources/index.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { type ApiCredentials, callApiOf, waitForVideo } from '../../pipelines/service-process.ts'
import { newApiClient } from '../../pipelines/shared-service.ts'
import { closeBrowser, openConsole, renderMsMax } from '../console/browser.ts'
import { chromiumPath, skipped } from '../preview-browser.ts'
import { psnr } from '../psnr.ts'

/** In dB, of a frame and its encoded and scaled copy. */
const likenessMin = 30

let client: ApiCredentials
let id: string
beforeAll(async () => {
  if (!chromiumPath) return
  client = await newApiClient()
  const body = { text: 'Rivers carry salt. The sea keeps it. Rain leaves without it.', aspectRatio: '1:1' }
  const created = await callApiOf<VideoResource>(client, 'POST', '/videos', body)
  id = created.id
  await waitForVideo(client, id, ({ media, process }) => media.audioUrl !== null && process?.status === 'COMPLETED')
})
afterAll(closeBrowser)

const words = async (): Promise<string[]> => {
  const { captions } = await callApiOf<VideoResource>(client, 'GET', `/videos/${id}?include=captions`)
  return captions!.map(({ punctuated_word }) => punctuated_word)
}
const openEditor = async (more: object = {}) => {
  const opened = await openConsole({ ...client, path: `/videos/${id}/edit`, ...more })
  await opened.page.locator('canvas[data-revision]').waitFor()
  return opened
}
const revisionOf = async (page: Page) => Number(await page.locator('canvas').getAttribute('data-revision'))
const word = (page: Page, index: number) => page.getByRole('textbox', { name: /^Word at/ }).nth(index)
const isSaved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor()

/** Types a word, and waits until a frame shows it. */
async function type(page: Page, index: number, text: string): Promise<void> {
  const before = await revisionOf(page)
  await word(page, index).fill(text)
  await expect.poll(() => revisionOf(page)).toBeGreaterThan(before)
}

const side = 270

/** RGBA of what the preview shows. */
async function pixelsOf(page: Page): Promise<Uint8Array> {
  const draw = `(() => {
    const context = new OffscreenCanvas(${side}, ${side}).getContext('2d')
    context.drawImage(document.querySelector('canvas'), 0, 0, ${side}, ${side})
    return new Uint8Array(context.getImageData(0, 0, ${side}, ${side}).data.buffer).toBase64()
  })()`
  return Buffer.from(await page.evaluate<string>(draw), 'base64')
}

/** RGBA of a frame of a render. */
async function frameOf(path: string, frame: number): Promise<Uint8Array> {
  const directory = mkdtempSync(join(tmpdir(), 'editor-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const input = ['-ss', ((frame - 0.5) / 30).toFixed(4), '-i', path, '-frames:v', '1', '-vf', `scale=${side}:${side}`]
  const output = ['-pix_fmt', 'rgba', '-f', 'rawvideo', 'pixels']
  await runFfmpeg({ directory, timeoutMs: 20_000, arguments: ['-v', 'error', ...input, ...output] })
  return readFileSync(join(directory, 'pixels'))
}

describe.skipIf(!chromiumPath)(`the editor${skipped}`, () => {
  test('shows an edited word at once, saves it, takes it back, and makes no foreign request', async () => {
    const { page, foreign, errors } = await openEditor()
    const before = await page.locator('.ed-screen').screenshot()
    await type(page, 1, 'bring')
    expect((await page.locator('.ed-screen').screenshot()).equals(before)).toBe(false)
    const { captions } = await callApiOf<VideoResource>(client, 'GET', `/videos/${id}?include=captions`)
    const lastFrame = String(Math.ceil((captions![1]!.endMs * 30) / 1_000) - 1)
    await expect.poll(() => page.getByRole('slider', { name: 'Position' }).inputValue()).toBe(lastFrame)
    await isSaved(page)
    expect(await words()).toContain('bring')
    await page.keyboard.press('Control+z')
    await isSaved(page)
    await expect.poll(words).not.toContain('bring')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(words).toContain('bring')
    await page.reload()
    await expect.poll(() => word(page, 1).inputValue()).toBe('bring')
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] })
  })

  test('plays in time, steps by frames and seeks to a word, by keyboard alone', async () => {
    const { page } = await openEditor()
    const position = page.getByRole('slider', { name: 'Position' })
    const frame = async () => Number(await position.inputValue())
    await page.keyboard.press('.')
    await page.keyboard.press('.')
    await page.keyboard.press(',')
    await expect.poll(frame).toBe(1)
    await page.keyboard.press('k')
    await expect.poll(frame).toBeGreaterThan(10)
    await page.keyboard.press('k')
    await word(page, 4).focus()
    const label = await word(page, 4).getAttribute('aria-label')
    await expect.poll(frame).toBe(Math.ceil(Number(/[\d.]+/.exec(label!)![0]) * 30))
    const pages = page.locator('.ed-page')
    const count = await pages.count()
    await word(page, 1).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => pages.count()).toBe(count + 1)
    await page.keyboard.press('Backspace')
    await expect.poll(() => pages.count()).toBe(count)
    await isSaved(page)
  })

  test('trims pictures by dragging their border, which snaps to a word and is taken back at once', async () => {
    const read = () => callApiOf<VideoResource>(client, 'GET', `/videos/${id}?include=bRolls,captions`)
    const { bRolls, captions } = await read()
    const [first] = bRolls!
    const borders = captions!.flatMap(({ startMs, endMs }) => [startMs, endMs])
    const target = borders.find((ms) => ms > first!.startMs + 300 && ms < first!.endMs - 300)!
    const { page } = await openEditor()
    const frames = Number(await page.getByRole('slider', { name: 'Position' }).getAttribute('max')) + 1
    const lane = (await page.locator('.ed-lane-pictures').boundingBox())!
    const move = (ms: number, pixels: number) =>
      page.mouse.move(lane.x + (lane.width * ms * 30) / (1_000 * frames) + pixels, lane.y + lane.height / 2)
    await move(first!.endMs, -3)
    await page.mouse.down()
    await move(target, 40)
    await move(target, 3)
    await page.mouse.up()
    const endMs = async () => (await read()).bRolls![0]!.endMs
    await expect.poll(endMs).not.toBe(first!.endMs)
    await isSaved(page)
    expect(borders).toContain(await endMs())
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(endMs).toBe(first!.endMs)
  })

  test('does not overwrite another tab, and keeps edits without a connection', async () => {
    const [first, second] = [await openEditor(), await openEditor()]
    await type(first.page, 0, 'Streams')
    await isSaved(first.page)
    await type(second.page, 0, 'Brooks')
    await second.page.getByRole('alert').getByText('changed in another tab').waitFor()
    expect(await words()).toContain('Streams')
    await second.page.getByRole('button', { name: 'Load the newest' }).click()
    await expect.poll(() => word(second.page, 0).inputValue()).toBe('Streams')
    await second.page.context().setOffline(true)
    await type(second.page, 0, 'Creeks')
    await second.page.getByRole('status').getByText('your edits are kept').waitFor()
    await second.page.context().setOffline(false)
    await expect.poll(words).toContain('Creeks')
    await type(first.page, 0, 'Becks')
    await first.page.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(words).toContain('Becks')
  })

  test('renders what it shows, downloads it, and offers no render that is older than the edits', {
    timeout: 2 * renderMsMax,
  }, async () => {
    const { page } = await openEditor()
    await page.getByRole('tab', { name: 'Style' }).click()
    await page.getByRole('button', { name: 'Karaoke' }).click()
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await page.getByRole('tab', { name: 'Captions' }).click()
    await word(page, 4).focus()
    const position = page.getByRole('slider', { name: 'Position' })
    await expect.poll(() => position.inputValue()).not.toBe('0')
    const frame = Number(await position.inputValue())
    const download = page.getByRole('button', { name: 'Download' })
    await download.waitFor({ timeout: renderMsMax })
    const shown = await pixelsOf(page)
    const downloading = page.waitForEvent('download')
    await download.click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/\.mp4$/)
    const rendered = await file.path()
    expect(psnr(shown, await frameOf(rendered, frame))).toBeGreaterThan(likenessMin)
    expect(psnr(shown, await frameOf(rendered, frame + 30))).toBeLessThan(likenessMin)
    await page.getByRole('tab', { name: 'Style' }).click()
    await page.getByRole('button', { name: 'Classic' }).click()
    await download.waitFor({ state: 'detached' })
  })

  test.each(['light', 'dark'] as const)(
    'has no violation that axe finds, in %s, on a phone and at twice the size',
    async (colorScheme) => {
      const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
      for (const screen of [
        { viewport: { width: 1440, height: 900 } },
        { viewport: { width: 360, height: 740 } },
        { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
      ]) {
        const { page } = await openEditor({ colorScheme, ...screen })
        await page.evaluate(source)
        for (const name of ['Captions', 'Style', 'Visuals']) {
          await page.getByRole('tab', { name }).click()
          const found = await page.evaluate(
            'axe.run("main").then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
          )
          expect(found, name).toEqual([])
        }
      }
    },
  )
})
