/** The panels of the editor in a real Chromium: what each control sends. The records exist in the browser only. `npm run test:studio` runs it. */
import { Resvg } from '@resvg/resvg-js'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { templates } from '../../../lib/domain/generation/scenes/presentation-scenes.ts'
import { themeConfig } from '../../../lib/domain/records/theme.ts'
import { pictureHeader } from '../../../lib/render/picture-size.ts'
import type { RunningServer } from '../../../local/listen.ts'
import type { BRoll, Scene, Video } from '../../../packages/client/index.js'
import { templateFields, templateNames } from '../../../studio/editor/slide-fields.ts'
import { closeBrowser, openConsole, serveStudio, skippedJourneys, whyJourneys } from '../console/browser.ts'
import { answerOf, video } from '../console/fixtures.ts'

let studio: RunningServer
beforeAll(async () => {
  if (!skippedJourneys) studio = await serveStudio()
})
afterAll(async () => {
  await closeBrowser()
  await studio?.stop()
})

const word = (index: number) => ({
  ...{ id: `cap_${index}`, startMs: 500 * index, endMs: 500 * (index + 1), confidence: 1 },
  ...{ text: `word${index}`, punctuated_word: `word${index}` },
})
const captionPage = (index: number) => ({
  id: `pag_${index}`,
  startMs: 1_000 * index,
  endMs: 1_000 * (index + 1),
  hidden: false,
})
const bRoll = (index: number): BRoll => ({
  ...{
    id: `brl_${index}`,
    startMs: 2_000 * index,
    endMs: 2_000 * (index + 1),
    text: 'Said',
    prompt: `Prompt ${index}`,
  },
  ...{ keywords: [], mediaType: 'ai_image', hidden: false, type: 'image', url: 'data:image/png;base64,' },
})
const slide = {
  ...{ id: 'psc_1', startMs: 0, endMs: 4_000, text: 'Said', emphasis: '', template: 'heroTitle', tone: 'light' },
  ...{ caption: 'show', hidden: false, visual: { type: 'none', items: 0, anchors: [] } },
  ...{ content: {}, params: {}, direction: {}, composed: {} },
}
const scene = (index: number) =>
  ({
    ...{ id: `scn_${index}`, imageUrl: null, videoUrl: null, narration: `Says ${index}`, imagePrompt: 'A picture' },
    ...{ animationPrompt: '', voiceDescription: '', duration: 5, status: 'ready' },
  }) as unknown as Scene

interface Sent {
  method: string
  path: string
  body: Record<string, unknown> & Record<string, unknown>[]
  ifMatch: string | undefined
}

/** The editor of a video, and what it sends, in order. Every edit is answered with the next revision. */
async function openEditor(
  fields: Partial<Video> = {},
  look: object = {},
): Promise<{ page: Page; sent: Sent[]; errors: string[] }> {
  const sent: Sent[] = []
  const shown = video(1, {
    ...{ process: null, render: null, publish: null, durationSeconds: 4 },
    ...{ captions: [0, 1, 2, 3].map(word), captionsPages: [0, 1].map(captionPage) },
    ...{ bRolls: [0, 1].map(bRoll), presentationScenes: [], scenes: [], ...fields },
  })
  const { page, errors } = await openConsole({
    ...{ baseUrl: studio.url, apiKey: 'rs_live_page', path: '/videos/vid_1/edit', ...look },
    api: (method, path, url) => {
      if (!path.startsWith('/videos/vid_1')) return answerOf(method, path, url)
      return { body: { data: shown }, headers: { etag: `"${sent.length}"` } }
    },
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/v1/videos') || request.method() === 'GET') return
    const body = request.postData()
    sent.push({
      ...{ method: request.method(), path: pathname.slice('/v1/videos/vid_1'.length) },
      ...{ body: body ? JSON.parse(body) : undefined, ifMatch: request.headers()['if-match'] },
    })
  })
  await page.getByRole('tab', { name: 'Captions' }).waitFor()
  return { page, sent, errors }
}

const last = (sent: Sent[], method: string, path: string) =>
  sent.findLast((request) => request.method === method && request.path === path)

describe.skipIf(skippedJourneys)(`a panel of the editor${whyJourneys}`, () => {
  test('retimes a word, hides a page and joins two, and takes each back', async () => {
    const { page, sent } = await openEditor()
    const captions = () => last(sent, 'PUT', '/captions')?.body as unknown as Pick<Video, 'captions' | 'captionsPages'>
    await page
      .getByRole('textbox', { name: /^Word at/ })
      .nth(1)
      .focus()
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(() => captions()?.captions?.[1]?.startMs).toBe(520)
    await page.keyboard.press('Alt+Shift+ArrowLeft')
    await expect.poll(() => captions()?.captions?.[1]?.endMs).toBe(980)
    await page.getByRole('button', { name: 'Hide page: word0 word1' }).click()
    await expect.poll(() => captions()?.captionsPages?.[0]?.hidden).toBe(true)
    await page.getByRole('button', { name: 'Join with the next page: word0 word1' }).click()
    await expect.poll(() => captions()?.captionsPages?.length).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => captions()?.captionsPages?.length).toBe(2)
  })

  test('offers every field of the theme of a presentation', async () => {
    const { page } = await openEditor({
      subType: 'presentation',
      presentationScenes: [slide] as NonNullable<Video['presentationScenes']>,
    })
    await page.getByRole('tab', { name: 'Style' }).click()
    await page.getByRole('heading', { name: 'Themes' }).waitFor()
    const offered = await page.evaluate('[...document.querySelectorAll("[id^=theme-]")].map(({ id }) => id.slice(6))')
    expect((offered as string[]).toSorted()).toEqual(Object.keys(themeConfig.entries).toSorted())
  })

  test('retimes a b-roll, changes its prompt, and replaces its picture by a new one or by one of the user', async () => {
    const { page, sent } = await openEditor()
    await page.getByRole('tab', { name: 'Visuals' }).click()
    const segments = () => last(sent, 'PUT', '/brolls')?.body
    await page.getByLabel('Segment 1 ends at second').fill('1.5')
    await page.keyboard.press('Tab')
    await expect.poll(() => segments()?.[0]?.endMs).toBe(1_500)
    await page.getByRole('textbox', { name: 'Shows' }).first().fill('A harbour')
    await expect.poll(() => segments()?.[0]?.prompt).toBe('A harbour')
    expect(segments()?.[0]?.id).toBe('brl_0')
    await page.getByRole('button', { name: 'Replace' }).first().click()
    await expect.poll(() => segments()?.[0]?.id).not.toBe('brl_0')
    await page.getByRole('button', { name: 'Make pictures' }).click()
    await expect.poll(() => last(sent, 'POST', '/process')?.body).toMatchObject({ addBRolls: true, render: false })
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="40"/>'
    const file = { name: 'own.png', mimeType: 'image/png', buffer: Buffer.from(new Resvg(svg).render().asPng()) }
    await page.getByLabel('Own picture for Segment 2').setInputFiles(file)
    await expect.poll(() => last(sent, 'PUT', '/brolls/brl_1/picture')?.ifMatch).toMatch(/^"\d+"$/)
    const picture = Buffer.from(String(last(sent, 'PUT', '/brolls/brl_1/picture')!.body.data), 'base64')
    expect(pictureHeader(picture)).toEqual({ format: 'jpeg', width: 2_208, height: 29 })
    const noise =
      '<svg xmlns="http://www.w3.org/2000/svg" width="2200" height="2200"><filter id="n"><feTurbulence baseFrequency="0.9" numOctaves="4"/></filter><rect width="2200" height="2200" filter="url(#n)"/></svg>'
    const detailed = Buffer.from(new Resvg(noise).render().asPng())
    await page.getByLabel('Own picture for Segment 1').setInputFiles({ ...file, buffer: detailed })
    const sentPicture = () => sent.findLast(({ path }) => /^\/brolls\/(?!brl_1).*\/picture$/.test(path))
    await expect.poll(sentPicture).toBeTruthy()
    const bytes = Buffer.from(String(sentPicture()!.body.data), 'base64')
    expect(bytes.length).toBeGreaterThan(500_000)
    expect(bytes.length).toBeLessThanOrEqual(2 * 1024 * 1024)
    await page.getByLabel('Own picture for Segment 2').setInputFiles({ ...file, buffer: Buffer.from('no picture') })
    await page.getByRole('alert').getByText('not a picture').waitFor()
  })

  test('lets a presenter speak a segment', async () => {
    const { page, sent } = await openEditor()
    await page.getByRole('tab', { name: 'Visuals' }).click()
    await page.getByText('Presenter').first().click()
    await page.getByLabel('Portrait of the presenter of Segment 1').fill('https://images.example.com/a.png')
    await page.getByRole('button', { name: 'Let it speak' }).first().click()
    const imageUrl = 'https://images.example.com/a.png'
    await expect.poll(() => last(sent, 'POST', '/brolls/brl_0/presenter')?.body).toEqual({ imageUrl })
  })

  test('has the fields of every template of a slide', async () => {
    const { page, sent } = await openEditor({
      subType: 'presentation',
      presentationScenes: [slide] as NonNullable<Video['presentationScenes']>,
    })
    await page.getByRole('tab', { name: 'Slides' }).click()
    for (const template of templates.toReversed()) {
      await page.getByLabel('Template').selectOption(templateNames[template])
      await expect.poll(() => last(sent, 'PUT', '/presentation-scenes')?.body?.[0]?.template).toBe(template)
      for (const { label } of templateFields[template]) expect(await page.getByLabel(label).count()).toBeGreaterThan(0)
    }
    await page.getByLabel('Heading').fill('A new heading')
    await expect
      .poll(() => last(sent, 'PUT', '/presentation-scenes')?.body?.[0]?.composed)
      .toMatchObject({ title: 'A new heading' })
  })

  test('edits, draws, adds and removes scenes of an ai video', async () => {
    const { page, sent } = await openEditor({ type: 'ai', bRolls: [], scenes: [scene(1), scene(2)] })
    await page.getByRole('tab', { name: 'Scenes' }).click()
    await page.getByLabel('Says').first().fill('Another sentence.')
    await page.keyboard.press('Tab')
    await expect
      .poll(() => last(sent, 'PATCH', '/scenes/scn_1'))
      .toMatchObject({
        body: { narration: 'Another sentence.' },
        ifMatch: expect.stringMatching(/^"\d+"$/),
      })
    await page.getByRole('button', { name: 'Draw again' }).first().click()
    await expect.poll(() => last(sent, 'POST', '/scenes/scn_1/image')).toBeTruthy()
    await page.getByRole('button', { name: 'Add a scene' }).click()
    await expect.poll(() => last(sent, 'POST', '/scenes')).toBeTruthy()
    await page.getByRole('button', { name: 'Remove scene 2' }).click()
    await expect.poll(() => last(sent, 'DELETE', '/scenes/scn_2')).toBeTruthy()
  })

  test.each(['light', 'dark'])('of slides or scenes has no violation that axe finds, in %s', async (colorScheme) => {
    const presentationScenes = [slide] as NonNullable<Video['presentationScenes']>
    for (const [tab, fields] of [
      ['Slides', { subType: 'presentation', presentationScenes }],
      ['Scenes', { type: 'ai', bRolls: [], scenes: [scene(1)] }],
    ] satisfies [string, Partial<Video>][]) {
      const { page } = await openEditor(fields, { colorScheme })
      await page.getByRole('tab', { name: tab }).click()
      await page.evaluate(axe.source)
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults
      expect(violations.map(({ id, nodes }) => [id, nodes[0]!.html])).toEqual([])
    }
  })

  test.each(['TikTok', 'Instagram', 'Facebook', 'YouTube Shorts'])('shows what %s covers', async (platform) => {
    const { page } = await openEditor()
    await page.getByLabel('Safe area').selectOption(platform)
    await page.getByRole('img', { name: `Covered by ${platform}` }).waitFor()
  })
})
