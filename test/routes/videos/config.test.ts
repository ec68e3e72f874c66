/** GET, PATCH and DELETE /videos/{id}/config: the theme config. */
import { beforeAll, describe, expect } from 'vitest'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

let path: string

beforeAll(async () => {
  world = await newWorld()
})

const send = (method: string, at: string, body?: unknown) => callApi(method, at, { key: world.apiKey, body })

/** The path of the config of a new video. */
async function newConfig() {
  path = `/videos/${(await send('POST', '/videos', { prompt: 'x' })).body.data.id}/config`
  return path
}

const merge = (body: unknown) => send('PATCH', path, body)

const stored = async () => (await send('GET', path)).body.data

/** The editor defaults, as the specification lists them. */
const defaults = {
  captionsFontFamily: 'TheBoldFont',
  captionsFontWeight: 'medium',
  captionsPrimaryColor: '#39E508',
  captionsFontSize: 72,
  captionsVerticalPosition: 70,
  captionsAnimation: 'fadeInSlideUp',
  captionsWordEffects: 'bounceWord',
  captionsSecondaryColor: '#ffffff',
  captionsAccentColor: '#0000ff',
  captionsTextStroke: 10,
  captionsStrokeColor: 'black',
  captionsSecondaryStrokeColor: '#ffffff',
  captionsAccentStrokeColor: '#0000ff',
  layoutMode: 'wrap',
  captionsTextTransform: 'uppercase',
}

describe('the theme config', () => {
  rule('config.get', async () => {
    const video = (await newConfig()).replace('/config', '')
    expect((await send('GET', path)).body).toEqual({ data: {} })
    await merge({ captionsFontSize: 30 })
    expect(await stored()).toEqual({ captionsFontSize: 30 })
    expect((await send('GET', video)).body.data.config).toEqual({ captionsFontSize: 30 })
  })

  rule('config.reset', async () => {
    await newConfig()
    await merge({ captionsFontSize: 30, captionsShadowColor: 'red' })
    const { status, body } = await send('DELETE', path)
    expect([status, body]).toEqual([200, { data: defaults }])
    expect(await stored()).toEqual(defaults)
  })

  rule('config.merge.shallow', async () => {
    await newConfig()
    await merge({ captionsFontSize: 30, layoutMode: 'word' })
    const answer = await merge({ captionsFontSize: 40, captionsWordEffects: '' })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ data: { captionsFontSize: 40, layoutMode: 'word', captionsWordEffects: '' } })
  })

  rule('config.merge.flat-or-nested', async () => {
    await newConfig()
    await merge({ captionsFontSize: 30 })
    await merge({ config: { layoutMode: 'word' } })
    expect(await stored()).toEqual({ captionsFontSize: 30, layoutMode: 'word' })
  })

  rule('config.merge.unknown-keys', async () => {
    await newConfig()
    const { status, body } = await merge({ captionsFontSize: 30, wallpaper: 'blue', constructor: 1 })
    expect([status, body.data]).toEqual([200, { captionsFontSize: 30 }])
    expect(await stored()).toEqual({ captionsFontSize: 30 })
  })

  rule('config.merge.no-known-key', async () => {
    await newConfig()
    for (const body of [{}, { wallpaper: 'blue' }, { config: {} }, { config: { wallpaper: 'blue' } }])
      expect((await merge(body)).status, JSON.stringify(body)).toBe(400)
  })

  rule('config.merge.out-of-range', async () => {
    await newConfig()
    for (const wrong of [
      { captionsFontSize: 201 },
      { layoutMode: 'diagonal' },
      { captionsFontSize: '30' },
      { layoutMode: null },
    ]) {
      const answer = await merge({ captionsTextTransform: 'none', ...wrong })
      expect(answer.body.error.details).toMatchObject([{ path: `body.${Object.keys(wrong)[0]}` }])
    }
    expect(await stored()).toEqual({})
  })

  rule('config.ranges', async () => {
    await newConfig()
    const ranges: [string, number, number][] = [
      ['captionsFontSize', 12, 200],
      ['captionsVerticalPosition', 0, 100],
      ['captionsTextStroke', 0, 40],
      ['captionsActiveWordStroke', 0, 40],
      ['captionsLetterSpacing', -20, 50],
    ]
    for (const [name, from, to] of ranges) {
      for (const value of [from, to, (from + to) / 2 + 0.5])
        expect((await merge({ [name]: value })).body.data[name]).toBe(value)
      for (const value of [from - 1, to + 1, from - 0.01]) expect((await merge({ [name]: value })).status).toBe(400)
    }
  })

  rule('config.value-lists', async () => {
    await newConfig()
    const names = 'thin extralight light normal medium semibold bold extrabold black'.split(' ')
    const lists: Record<string, string[]> = {
      captionsTextTransform: ['none', 'uppercase', 'lowercase', 'capitalize'],
      layoutMode: ['wrap', 'single-line', 'word'],
      captionsAnimation: ['none', 'fadeIn', 'fadeInSlideUp', 'slideUp', 'popIn', 'scaleIn', 'typewriter'],
      captionsWordEffects: ['', 'bounceWord', 'highlightWord', 'karaokeWord', 'popWord', 'scaleWord'],
      captionsFontWeight: [...names, ...names.map((_, index) => String((index + 1) * 100))],
    }
    for (const [name, values] of Object.entries(lists)) {
      for (const value of values) expect((await merge({ [name]: value })).body.data[name]).toBe(value)
      const answer = await merge({ [name]: 'other' })
      expect(answer.body.error.details).toMatchObject([{ path: `body.${name}`, allowed: values }])
    }
  })

  rule('config.colours', async () => {
    await newConfig()
    for (const value of ['#abc', '#abcd', '#A1b2C3', '#a1b2c3d4', 'rebeccapurple', 'Black'])
      expect((await merge({ presentationInkColor: value })).status, value).toBe(200)
    expect((await merge({ captionsPrimaryColor: 'blurple' })).status).toBe(400)
    for (const value of ['#ab', '#abcde', 'a1b2c3', 'rgb(1,2,3)', 'blurple', '', 5])
      expect((await merge({ presentationInkColor: value })).status, String(value)).toBe(400)
    for (const value of ['http://a.test/x', 'https://a.test/x'])
      expect((await merge({ presentationLogoUrl: value })).status, value).toBe(200)
    for (const value of ['ftp://a.test/x', 'javascript:alert(1)', '/x', ''])
      expect((await merge({ presentationLogoUrl: value })).status, value).toBe(400)
  })
})
