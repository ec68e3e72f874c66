/** Which pictures a requeue makes: only those that are missing or show something else. */
import { describe, expect, it } from 'vitest'
import type { StoredBRoll } from '../../../lib/domain/generation/b-rolls.ts'
import type { VisualPlanInput } from '../../../lib/domain/generation/plan-visuals.ts'
import { planVisuals, replanVisuals } from '../../../lib/domain/generation/plan-visuals.ts'
import type { VisualPlan } from '../../../lib/domain/generation/visual-media.ts'
import { mergeResolvedMedia, resolveMedia } from '../../../lib/domain/generation/visual-media.ts'
import type { Brief } from '../../../lib/domain/records/brief.ts'
import { loadPictureVocabulary } from '../../../lib/use-cases/generation/picture-vocabulary.ts'
import { vocabularyOf } from '../support/pictures.ts'
import { briefWith } from '../support/videos.ts'

const makers = { still: 'drawn-1', clip: 'made-1' }
const ownerOf = (videoId: string) => ({ workspace: { id: 'wsp_1', mediaSecret: 'secret' }, videoId })

const spoken =
  'Calm mornings begin in the evening. Lay out your clothes, fill the kettle, and sleep early. Then wake up with the light. ' +
  'Drink a glass of water before anything else. Walk once around the house.'
const words = spoken.split(' ').map((text, index) => ({ text, startMs: index * 400, endMs: index * 400 + 350 }))
const input: VisualPlanInput = {
  words,
  durationMs: words.at(-1)!.endMs + 600,
  brief: briefWith({ imageStyle: 'mixed', aspectRatio: '9:16' }),
  mood: null,
  seed: 'vid_1',
  addBRolls: true,
  idOf: (index) => `brl_${index}`,
}

/** What a run shows at its end, and how many pictures it made. */
const shown = (plan: VisualPlan, owner = ownerOf('vid_1')) => {
  const shots = plan.map((shot) => ({ segment: shot.segment, ...resolveMedia(owner, shot, makers) }))
  const segments: StoredBRoll[] = shots.map(({ segment, media }) => ({ ...segment, media }))
  return { segments, made: shots.flatMap(({ toMake }) => toMake ?? []) }
}

const presenter = { imageUrl: 'https://x.test/a.png', avatarId: 'a', name: 'A', bytes: 1, generatedAt: 'x' }

const first = shown(planVisuals(input))
const stored = (segments: readonly StoredBRoll[], edited = true, sameNarration = true) => ({
  segments,
  edited,
  sameNarration,
})
const edit = (index: number, change: Partial<StoredBRoll>) =>
  first.segments.map((segment, at) => (at === index ? { ...segment, ...change } : segment))

describe('the first plan of a generation', () => {
  it('requests a separate picture for every b-roll', () => {
    expect(first.segments.length).toBeGreaterThan(2)
    expect(first.made).toHaveLength(first.segments.length)
    expect(new Set(first.made.map(({ key }) => key)).size).toBe(first.segments.length)
    for (const { media, mediaType } of first.segments)
      expect(media).toMatchObject({ kind: mediaType === 'ai_image' ? 'still' : 'clip' })
  })

  it('fades into a new sentence, and cuts within one', () => {
    const fades = first.segments.filter(({ transition }) => transition !== 'cut').map(({ text }) => text)
    const sentences = spoken.split(/(?<=[.]) /)
    expect(
      fades.every((text) => sentences.some((sentence) => sentence.startsWith(text) || text.startsWith(sentence))),
    ).toBe(true)
    expect(fades.length).toBeLessThan(first.segments.length)
  })

  it('marks the pictures under the title, and joins shots that name nothing with the rest of their sentence', async () => {
    const text =
      'The heart beats. It does so every single day of a whole and possibly rather long life of yours, in the chest.'
    const vocabulary = await loadPictureVocabulary('en')
    const timed = text.split(' ').map((text, index) => ({ text, startMs: index * 300, endMs: index * 300 + 280 }))
    const plan = (title: string | null) =>
      planVisuals({
        ...input,
        words: timed,
        durationMs: timed.at(-1)!.endMs,
        ...(title && { pictures: { title, beats: [], vocabulary } }),
      })
    const [first, ...others] = plan('The heart').map(({ segment, wish }) => ({ segment, scene: wish.scene }))
    expect(first!.scene).toMatchObject({ objects: ['anatomical-heart'], isOpening: true })
    for (const { segment, scene } of others) expect(scene!.isOpening === true).toBe(segment.startMs < 2_500)
    expect(others.length).toBeLessThan(plan(null).length)
    for (const { segment } of others) expect(segment.endMs - segment.startMs).toBeLessThan(7_000)
  })

  it('has one picture for the whole video without addBRolls', () => {
    const { segments } = shown(planVisuals({ ...input, addBRolls: false }))
    expect(segments).toMatchObject([{ startMs: 0, endMs: input.durationMs }])
  })
})

describe('the picture prompts of a brief', () => {
  const wishesOf = (wish: Parameters<typeof briefWith>[0]) =>
    planVisuals({ ...input, brief: briefWith({ imageStyle: 'mixed', ...wish }) }).map(({ wish }) => wish)
  const plain = wishesOf({})

  it('include its person and its style when the pictures are generated', () => {
    const styled = wishesOf({ characterDescription: 'a girl in a red coat', customStyleText: 'watercolour' })
    styled.forEach((wish, index) => {
      const { kind, prompt } = plain[index]!
      expect(wish.prompt).toBe(kind === 'still' ? `${prompt}; a girl in a red coat; watercolour` : prompt)
    })
  })

  it('continue from the previous picture when they are connected', () => {
    const connected = wishesOf({ imageStyle: 'ai_image', connectedBRolls: true })
    const apart = wishesOf({ imageStyle: 'ai_image' })
    expect(connected[0]).toEqual(apart[0])
    connected.slice(1).forEach((wish, index) => {
      expect(wish.prompt).toBe(`${apart[index + 1]!.prompt}; in the same scene as: ${apart[index]!.prompt}`)
      expect(wish.keywords).toEqual(expect.arrayContaining([...apart[index]!.keywords, ...apart[index + 1]!.keywords]))
    })
  })

  const portrait = { imageUrl: 'https://x.test/clara.png' }
  const presentedOf = (presenter: Brief['presenter'], seed = 'vid_1', addBRolls = true) =>
    planVisuals({ ...input, seed, addBRolls, brief: briefWith({ presenter }) }).flatMap(({ segment }, index) =>
      segment.layout === 'presenter' ? [index] : [],
    )
  const last = plain.length - 1

  it.each<[Brief['presenter'], number[]]>([
    [null, []],
    [{ name: 'Clara', placement: 'all' }, []],
    [portrait, [0]],
    [{ ...portrait, placement: 'first', occurrences: 2 }, [0, 1]],
    [{ ...portrait, placement: 'last', occurrences: 2 }, [last - 1, last]],
    [{ ...portrait, placement: 'last', occurrences: 99 }, plain.map((_, index) => index)],
    [{ ...portrait, placement: 'all' }, plain.map((_, index) => index)],
  ])('reserve the b-rolls of the presenter %j', (presenter, indexes) => {
    expect(presentedOf(presenter)).toEqual(indexes)
  })

  it('reserve b-rolls of a random presenter, the same for the same video', () => {
    const presenter: Brief['presenter'] = { ...portrait, placement: 'random', occurrences: 2 }
    const videos = Array.from({ length: 20 }, (_, index) => presentedOf(presenter, `vid_${index}`))
    for (const [index, indexes] of videos.entries()) {
      expect(indexes).toHaveLength(2)
      expect(presentedOf(presenter, `vid_${index}`)).toEqual(indexes)
    }
    expect(new Set(videos.map(String)).size).toBeGreaterThan(2)
  })

  it('reserve none when one picture is shown for the whole video', () => {
    expect(presentedOf({ ...portrait, placement: 'all' }, 'vid_1', false)).toEqual([])
  })
})

describe('a requeue without addBRolls', () => {
  it('leaves the b-rolls unchanged, edited or not, whatever the new narration says', () => {
    const segments = edit(0, { prompt: 'A lighthouse', media: null })
    for (const edited of [true, false])
      for (const same of [true, false]) {
        const { plan, isNew } = replanVisuals({ ...input, addBRolls: false }, stored(segments, edited, same))
        expect(shown(plan)).toEqual({ segments, made: [] })
        expect(isNew).toBe(false)
      }
  })
})

describe('a requeue with addBRolls', () => {
  it('keeps the b-rolls that the client edited, and makes nothing when nothing is missing', () => {
    const segments = edit(1, { hidden: true, text: 'Shown as before', transition: 'fade' })
    const { plan, isNew } = replanVisuals(input, stored(segments))
    expect(shown(plan)).toEqual({ segments, made: [] })
    expect(isNew).toBe(false)
  })

  it('makes the missing media of new b-rolls', () => {
    const added = { id: 'brl_mine', startMs: 0, endMs: 900, text: '', prompt: 'A lighthouse', keywords: [] }
    const segments: StoredBRoll[] = [
      { ...added, mediaType: 'ai_image', hidden: false, media: null },
      ...first.segments.slice(1),
    ]
    const { segments: after, made } = shown(replanVisuals(input, stored(segments)).plan)
    expect(made).toMatchObject([{ wish: { kind: 'still', prompt: 'A lighthouse', keywords: ['lighthouse'] } }])
    expect(after[0]).toEqual({ ...segments[0], media: { kind: 'still', key: made[0]!.key } })
    expect(after.slice(1)).toEqual(segments.slice(1))
  })

  const changes: [string, Partial<StoredBRoll>][] = [
    ['prompt', { prompt: 'A lighthouse' }],
    ['keywords', { keywords: ['lighthouse'] }],
    ['mediaType', { mediaType: 'ai_video' }],
  ]
  it.each(changes)('remakes the media of a b-roll whose %s was edited', (_name, change) => {
    const segments = edit(0, change)
    const { segments: after, made } = shown(replanVisuals(input, stored(segments)).plan)
    expect(made).toHaveLength(1)
    expect(after[0]!.media!.key).toBe(made[0]!.key)
    expect(after.slice(1)).toEqual(segments.slice(1))
  })

  it('remakes the footage of a b-roll whose length changed, but no still, which fits any length', () => {
    const shorter = (index: number) => edit(index, { endMs: first.segments[index]!.endMs - 100 })
    const [still, clip] = [0, 1].map((index) => shown(replanVisuals(input, stored(shorter(index))).plan))
    expect(still!.made).toEqual([])
    expect(clip!.made).toMatchObject([{ wish: { kind: 'clip' } }])
  })

  it('makes no more footage than the render shows, and none for what comes after its end', () => {
    const day = 24 * 60 * 60 * 1000 - 1
    const last = first.segments.length - 1
    const longest = edit(last, { endMs: day, mediaType: 'stock_footage', prompt: 'A lighthouse' })
    const behind = { ...longest[last]!, id: 'brl_behind', startMs: input.durationMs, media: null }
    const { made, segments } = shown(replanVisuals(input, stored([...longest, behind])).plan)
    expect(made).toMatchObject([{ wish: { kind: 'clip', durationMs: input.durationMs - longest[last]!.startMs } }])
    expect(segments.at(-1)).toEqual(behind)
  })

  it('remakes all media for another frame size', () => {
    const wide = { ...input, brief: { ...input.brief, aspectRatio: '16:9' as const } }
    expect(shown(replanVisuals(wide, stored(first.segments)).plan).made).toHaveLength(first.segments.length)
  })

  it('leaves a presenter unchanged', () => {
    const media = { kind: 'clip' as const, key: 'wsp_1/vid_1/presenters/a.mp4' }
    const segments = edit(0, { presenter, media, prompt: 'Another' })
    expect(shown(replanVisuals(input, stored(segments)).plan)).toEqual({ segments, made: [] })
  })

  it('plans again when nothing was edited, when the narration changed, and when no b-roll is left', () => {
    const cases = [stored(first.segments, false), stored(first.segments, true, false), stored([])]
    for (const given of cases) expect(replanVisuals(input, given)).toEqual({ plan: planVisuals(input), isNew: true })
  })

  it('reuses every picture by name when the new plan is the same', () => {
    expect(shown(planVisuals({ ...input, idOf: (index) => `brl_again_${index}` })).made).toEqual(first.made)
  })

  it('of a clip keeps the pictures of its source, and makes only its own', () => {
    const segments = edit(0, { prompt: 'A lighthouse' })
    const { segments: after, made } = shown(replanVisuals(input, stored(segments)).plan, ownerOf('vid_2'))
    expect(made).toMatchObject([{ key: expect.stringMatching(/^wsp_1\/vid_2\//) }])
    expect(after.slice(1)).toEqual(segments.slice(1))
    const again = shown(replanVisuals(input, stored(after)).plan, ownerOf('vid_2'))
    expect(again).toEqual({ segments: after, made: [] })
  })
})

describe('b-rolls that a client edits while their pictures are being made', () => {
  it('keep the edit, and get the media made for those that are unchanged', () => {
    const unmade = first.segments.map((segment) => ({ ...segment, media: null }))
    const [one, two, three] = unmade
    const edited = [one!, { ...two!, prompt: 'A lighthouse' }, { ...three!, presenter }, { ...one!, id: 'brl_mine' }]
    expect(mergeResolvedMedia(edited, first.segments)).toEqual([first.segments[0], ...edited.slice(1)])
  })
})

describe('the scenes of drawn pictures', () => {
  const beats = [
    { text: spoken.slice(0, spoken.indexOf('Then')), show: ['moon', 'kettle'], emphasis: [] },
    { text: spoken.slice(spoken.indexOf('Then')), show: ['sunrise', 'glass of water', 'house'], emphasis: [] },
  ]
  const pictured = async (pictures: Partial<VisualPlanInput['pictures']> = {}): Promise<VisualPlanInput> => ({
    ...input,
    pictures: { vocabulary: await loadPictureVocabulary('en'), title: '', beats, ...pictures },
  })
  const scenesOf = (plan: VisualPlan) => plan.map(({ wish }) => wish?.scene)

  it('are absent without a source of words, so that stored pictures of before keep their names', () => {
    for (const { wish } of planVisuals(input)) expect(wish).not.toHaveProperty('scene')
  })

  it('are distinct and part of the storage key, for stills and for clips', async () => {
    const plan = planVisuals(await pictured())
    expect(new Set(scenesOf(plan).map((scene) => JSON.stringify(scene))).size).toBe(plan.length)
    expect(shown(plan).made.map(({ key }) => key)).not.toEqual(first.made.map(({ key }) => key))
  })

  it('follow the beats that are spoken', async () => {
    const scenes = scenesOf(planVisuals(await pictured()))
    expect(['full-moon', 'crescent-moon', 'teapot']).toContain(scenes[0]!.objects[0])
    expect(scenes.at(-1)!.objects).toContain('house')
  })

  it('follow the words where the script has no beats', async () => {
    const scenes = scenesOf(planVisuals(await pictured({ beats: [] })))
    expect(scenes.flatMap((scene) => scene!.objects)).toContain('tumbler-glass')
  })

  it('of an edited segment come from its own words; the others keep theirs', async () => {
    const drawn = await pictured()
    const { segments } = shown(planVisuals(drawn))
    const edited = segments.map((segment, index) => (index === 1 ? { ...segment, prompt: 'A camel' } : segment))
    const { made } = shown(replanVisuals(drawn, stored(edited)).plan)
    expect(made).toMatchObject([{ wish: { scene: { objects: ['camel'] } } }])
  })

  it('of segments with equal words stay in their order, when another one is edited', () => {
    const texts = ['An apple.', 'An apple.', 'A pear.']
    const words = texts.flatMap((text, index) => [{ text, startMs: index * 2_600, endMs: (index + 1) * 2_600 }])
    const pictures = { title: '', beats: [], vocabulary: vocabularyOf({ apple: 9, pear: 8, plum: 7 }) }
    const repeated = { ...input, words, durationMs: 7_800, pictures }
    const planned = planVisuals(repeated)
    const { segments } = shown(planned)
    const edited = segments.map((segment, index) => (index === 2 ? { ...segment, keywords: ['plum'] } : segment))
    const scenes = scenesOf(replanVisuals(repeated, stored(edited)).plan)
    expect(scenes.slice(0, 2)).toEqual(scenesOf(planned).slice(0, 2))
    expect(scenes[2]!.objects).toEqual(['plum'])
  })

  it('of an edited segment come from its prompt and its keywords together', () => {
    const pictures = { title: '', beats: [], vocabulary: vocabularyOf({ apple: 9, pear: 8, plum: 7, fig: 6 }) }
    const words = [{ text: 'An apple.', startMs: 0, endMs: 2_600 }]
    const one = { ...input, words, durationMs: 2_600, pictures }
    const [segment] = shown(planVisuals(one)).segments
    const objectsOf = (change: Partial<StoredBRoll>) =>
      scenesOf(replanVisuals(one, stored([{ ...segment!, ...change }])).plan)[0]!.objects
    expect(objectsOf({ prompt: 'A pear', keywords: ['plum'] })).toEqual(['pear', 'plum'])
    expect(objectsOf({ prompt: 'A pear' })).toEqual(['pear'])
    expect(objectsOf({ prompt: '' })).toEqual(['apple'])
  })
})

describe('the shots', () => {
  const durationsOf = (text: string, msPerWord: number) => {
    const words = text
      .split(' ')
      .map((text, index) => ({ text, startMs: index * msPerWord, endMs: (index + 1) * msPerWord }))
    const plan = planVisuals({ ...input, words, durationMs: words.length * msPerWord })
    return { plan, durations: plan.map(({ segment }) => segment.endMs - segment.startMs) }
  }
  const sentence =
    'The water of the rivers carries tiny amounts of salt from the rocks of the land into the sea every day.'

  it('last 1.8 to 3.6 s', () => {
    const { durations } = durationsOf(Array.from({ length: 8 }, () => sentence).join(' '), 320)
    for (const duration of durations) {
      expect(duration).toBeGreaterThanOrEqual(1_800)
      expect(duration).toBeLessThanOrEqual(3_600)
    }
  })

  it('last up to 3.9 s at the end of a sentence, rather than leaving a word to the next', () => {
    const long = 'It gives you a different pot of soup every single time.'
    const { plan, durations } = durationsOf(`${long} Third, keep the lid on the pot.`, 350)
    expect(plan[0]!.segment.text).toBe(long)
    expect(durations[0]).toBeLessThanOrEqual(3_900)
  })

  it('end with sentences and clauses, else before a phrase', () => {
    const { plan } = durationsOf('Salt comes from rocks on land. Rain wears them down, and rivers carry it away.', 330)
    expect(plan.map(({ segment }) => segment.text)).toEqual([
      'Salt comes from rocks on land.',
      'Rain wears them down, and rivers carry it away.',
    ])
    expect(durationsOf(sentence, 320).plan.map(({ segment }) => segment.text)[0]).toMatch(
      /(?:salt|carries|land|rocks|amounts)$/,
    )
  })
})

describe('media from before scenes were part of a request', () => {
  it('stays, and is not made again', async () => {
    const pictures = { vocabulary: await loadPictureVocabulary('en'), title: 'Calm mornings', beats: [] }
    const after = shown(replanVisuals({ ...input, pictures }, stored(first.segments)).plan)
    expect(after).toEqual({ segments: first.segments, made: [] })
  })
})
