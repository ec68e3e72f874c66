import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { TimedWord } from '../../lib/domain/core/timeline-item.ts'
import {
  presentationScene,
  presentationScenesMax,
  templates,
  tones,
} from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import { builtInDirector } from '../../lib/providers/director/built-in.ts'
import type { CutInput } from '../../lib/providers/director/index.ts'

const heard = (text: string, wordMs = 400): TimedWord[] =>
  text.split(/\s+/).map((word, index) => ({ text: word, startMs: index * wordMs, endMs: (index + 1) * wordMs - 40 }))
const cut = (words: TimedWord[], fields: Partial<CutInput> = {}) =>
  builtInDirector.cut({ words, mood: null, tone: null, assets: [], seed: 'a', ...fields })

const moon =
  'In 1969 three men flew to the moon. It took 8 days and cost $25 billion. First they left the Earth. Then they circled the ' +
  'moon. Finally they landed on it. “That’s one small step for man,” said Armstrong. The crew was calm but the whole world was ' +
  'shaking. They brought back rocks, dust, photographs and stories. The sky above the desert was wide and full of silent stars. ' +
  'Try to look at it tonight.'

const narrations = fc
  .array(
    fc.record({
      text: fc.oneof(
        fc.constantFrom(
          'Calm',
          'mornings,',
          'end.',
          '50%',
          'but',
          'First',
          '“so”',
          'and',
          '1999',
          'Why?',
          '你好。',
          '—',
        ),
        fc.string({ maxLength: 12 }),
      ),
      restMs: fc.integer({ min: 0, max: 900 }),
      lastsMs: fc.integer({ min: 0, max: 2_000 }),
    }),
    { maxLength: 120 },
  )
  .map((words) => {
    let at = 0
    return words.map(({ text, restMs, lastsMs }): TimedWord => {
      const startMs = at + restMs
      at = startMs + lastsMs
      return { text, startMs, endMs: at }
    })
  })

describe('the built-in director', () => {
  it('covers the transcript from 0 to the end of the last word without a gap, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(narrations, fc.string(), async (words, seed) => {
        const scenes = await cut(words, { seed })
        const said = words.filter(({ text }) => text.trim())
        const end = Math.max(0, ...said.map(({ endMs }) => endMs))
        expect(scenes.length > 0).toBe(end > 0)
        scenes.forEach((scene, index) => {
          expect(v.safeParse(presentationScene, { id: 'psc_1', ...scene }).issues).toBeUndefined()
          expect(scene.startMs).toBe(scenes[index - 1]?.endMs ?? 0)
          expect(scene.endMs).toBeGreaterThan(scene.startMs)
          expect(scene.text).toContain(scene.emphasis)
          expect(scene.visual.anchors.length).toBeLessThanOrEqual(scene.visual.items)
        })
        if (end > 0) {
          expect(scenes.at(-1)!.endMs).toBe(end)
          expect(scenes.map(({ text }) => text).join(' ')).toBe(said.map(({ text }) => text.trim()).join(' '))
        }
      }),
    )
  })

  it('cuts words in any order of their times', async () => {
    const words = heard(moon)
    expect(await cut(words.toReversed())).toEqual(await cut(words))
  })

  it('gives the same cut for the same seed, and another look for another', async () => {
    expect(await cut(heard(moon))).toEqual(await cut(heard(moon)))
    expect(await cut(heard(moon), { seed: 'b' })).not.toEqual(await cut(heard(moon)))
  })

  it('uses the template that fits the text', async () => {
    const scenes = await cut(heard(moon))
    const saying = (words: string) => scenes.find(({ text }) => text.includes(words))
    expect(scenes[0]).toMatchObject({ template: 'heroTitle', content: { title: 'In 1969 three men flew to the moon' } })
    expect(saying('billion')).toMatchObject({ template: 'bigNumber', emphasis: '$25 billion', tone: 'accent' })
    expect(saying('circled')).toMatchObject({
      template: 'flowSteps',
      visual: { type: 'steps', items: 3 },
      content: { steps: ['They left the Earth', 'They circled the moon', 'They landed on it'] },
    })
    expect(saying('Armstrong')).toMatchObject({
      template: 'quote',
      content: { quote: 'That’s one small step for man' },
    })
    expect(saying('shaking')).toMatchObject({
      template: 'comparison',
      content: { left: 'The crew was calm', right: 'The whole world was shaking' },
    })
    expect(saying('photographs')).toMatchObject({ template: 'bulletList', visual: { items: 4 } })
    expect(scenes.at(-1)).toMatchObject({ template: 'callToAction', tone: 'accent' })
  })

  it('shows steps only if there are several: a single explanation is not a step', async () => {
    const habits =
      'Five habits of calm mornings. First, never miss twice. One bad day is an accident, but two are the start of a habit. ' +
      'Second, work in short, honest sprints. Finally, attach the new thing to what you already do. Pick one and try it today.'
    const steps = (await cut(heard(habits, 300))).filter(({ template }) => template === 'flowSteps')
    expect(steps.map(({ content }) => content.steps)).toEqual([
      ['Work in short, honest sprints', 'Attach the new thing to what you already do'],
    ])
    // The count starts at the list.
    expect(steps.map(({ content }) => content.from ?? 1)).toEqual([1])
  })

  it('continues the numbering if steps take more than one slide', async () => {
    const pancakes =
      'Pancakes are easy. First, open the refrigerator and look. Second, take out the buttermilk and some eggs. Third, whisk it all ' +
      'for a while. Most people burn their first pancake on a pan that is too hot. Fourth, heat a pan on the stove. Fifth, pour it in slowly. Share this with a friend.'
    const steps = (await cut(heard(pancakes, 550))).filter(({ template }) => template === 'flowSteps')
    expect(steps.map(({ content }) => content.from ?? 1)).toEqual([1, 4])
  })

  it('shows an amount as a figure and never as the title of its unit', async () => {
    const text =
      'They made a bold bet on one small company a long time ago. It was worth about $100 billion in the end, more than many countries. The rest is history now. Ask them why.'
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const scene = (await cut(heard(text), { seed })).find((one) => one.text.includes('billion'))
      expect(scene).toMatchObject({ template: 'bigNumber', content: { value: '$100 billion' } })
    }
  })

  it('shows a quotation as a quote even where it has a figure', async () => {
    const text =
      'Here is some old advice for builders. “Build something 100 people love, not something 1 million people kind of like.” It is harder than it sounds to most. Try it today.'
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const scene = (await cut(heard(text), { seed })).find((one) => one.text.includes('1 million'))
      expect(scene).toMatchObject({
        template: 'quote',
        content: { quote: 'Build something 100 people love, not something 1 million people kind of like' },
      })
    }
  })

  it('keeps dated clauses together on a timeline', async () => {
    const text =
      'The phone in your pocket has a short history. In 2007 the first one was shown, in 2009 it learned to copy text, and in 2020 it got faster networks. Nobody expected any of that. Share this with a friend.'
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const scene = (await cut(heard(text, 420), { seed })).find((one) => one.text.includes('2009'))
      expect(scene).toMatchObject({
        template: 'timeline',
        content: {
          events: [
            'In 2007 the first one was shown',
            'In 2009 it learned to copy text',
            'In 2020 it got faster networks',
          ],
        },
      })
    }
  })

  it('does not list clauses', async () => {
    const script =
      'Warum Katzen schnurren. Es verdient eine Minute deiner Zeit. Entscheide, was du willst, bevor du entscheidest, wie. ' +
      'Speichere dieses Video und teile es.'
    for (let seed = 0; seed < 10; seed++) {
      const scenes = await cut(heard(script, 500), { seed: String(seed) })
      expect(scenes.map(({ template }) => template)).not.toContain('bulletList')
    }
  })

  it('shows the points of the built-in writer as steps, separate from the text before them', async () => {
    const script =
      'Das Thema heute: Warum Katzen schnurren. Es verdient eine Minute deiner Zeit. Erstens: die besten Fragen klingen einfach. ' +
      'Zweitens: es gibt einen Teil, den niemand sieht. Und zum Schluss: die Einzelheiten erzählen die Geschichte. Jetzt weißt du, wo du hinschauen musst.'
    const steps = (await cut(heard(script, 380))).filter(({ template }) => template === 'flowSteps')
    expect(steps.map(({ content }) => content.steps)).toEqual([
      [
        'Die besten Fragen klingen einfach',
        'Es gibt einen Teil, den niemand sieht',
        'Die Einzelheiten erzählen die Geschichte',
      ],
    ])
  })

  it('does not list introductory words', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const scenes = await cut(
        heard(
          'Calm mornings are made. For a start, decide tonight what tomorrow starts with. Then go. Try it today.',
          700,
        ),
        { seed: String(seed) },
      )
      expect(JSON.stringify(scenes.map(({ content }) => content))).not.toContain('"For a start"')
    }
  })

  it('never shows one template twice in a row, and no tone three times, and uses all nine eventually', async () => {
    const used = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const years = 'In 1950 it was small, in 1980 it was big, and it is everywhere today. '
      const scenes = await cut(heard(`${moon} ${years}${moon} ${moon}`), { seed: String(seed) })
      scenes.slice(1, -1).forEach(({ template }, index) => {
        expect(template).not.toBe(scenes[index]!.template)
      })
      scenes.slice(2).forEach(({ tone }, index) => {
        expect([scenes[index]!.tone, scenes[index + 1]!.tone]).not.toEqual([tone, tone])
      })
      for (const { template } of scenes) used.add(template)
    }
    expect([...used].toSorted()).toEqual([...templates].toSorted())
  })

  it.each(tones)('begins with the tone %s if it is requested', async (tone) => {
    expect((await cut(heard(moon), { tone }))[0]?.tone).toBe(tone)
  })

  it('shows each picture of the client in one full image, at the best match first', async () => {
    const assets = [
      { type: 'image', url: 'https://example.com/cat.png', description: 'A cat' },
      { type: 'image', url: 'https://example.com/sky.png', description: 'Stars above the desert' },
      { type: 'audio', url: 'https://example.com/a.mp3', description: 'A song' },
    ]
    const pictures = await Promise.all(
      Array.from({ length: 20 }, async (_, seed) => {
        const scenes = await cut(heard(moon), { assets, seed: String(seed) })
        return scenes
          .filter(({ template }) => template === 'imageFull')
          .map(({ text, content }) => [text.includes('desert'), content.imageUrl])
      }),
    )
    const shown = pictures.flat()
    expect(shown).toContainEqual([true, 'https://example.com/sky.png'])
    expect(shown.map(([, url]) => url)).not.toContain('https://example.com/a.mp3')
    for (const urls of pictures) expect(new Set(urls.map(([, url]) => url)).size).toBe(urls.length)
  })

  it('never makes more scenes than a timeline may have', async () => {
    const hours = heard('Go on. '.repeat(6_000).trim(), 1_000)
    expect((await cut(hours)).length).toBeLessThanOrEqual(presentationScenesMax)
  })

  it('cuts other languages by their own words', async () => {
    const scenes = await cut(
      heard(
        'Wer früh schläft, steht ruhig auf. Zuerst legst du die Kleidung bereit. Dann füllst du den Kessel. Der Morgen ist still, ' +
          'aber der Tag wird laut. Probier es morgen einmal aus!',
      ),
    )
    expect(scenes.map(({ template }) => template)).toEqual(['heroTitle', 'flowSteps', 'comparison', 'callToAction'])
  })
})
