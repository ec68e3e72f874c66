/** Which pictures a requeue makes: those that are missing or show something else, and no others. */
import { describe, expect, it } from 'vitest'
import type { StoredBRoll } from '../../lib/domain/timelines/brolls.ts'
import type { VisualPlan } from '../../lib/domain/visual-plan.ts'
import { mediaOf, withMadeMedia } from '../../lib/domain/visual-plan.ts'
import type { VisualPlanInput } from '../../lib/domain/visuals.ts'
import { planVisuals, requeuedVisuals } from '../../lib/domain/visuals.ts'

const makers = { still: 'drawn-1', clip: 'made-1' }
const ownerOf = (videoId: string) => ({ workspace: { id: 'wsp_1', mediaSecret: 'secret' }, videoId })

const spoken =
  'Calm mornings begin in the evening. Lay out your clothes, fill the kettle, and sleep early. Then wake up with the light. ' +
  'Drink a glass of water before anything else. Walk once around the house.'
const words = spoken.split(' ').map((text, index) => ({ text, startMs: index * 400, endMs: index * 400 + 350 }))
const input: VisualPlanInput = {
  words,
  durationMs: words.at(-1)!.endMs + 600,
  brief: { imageStyle: 'mixed', aspectRatio: '9:16' },
  mood: null,
  seed: 'vid_1',
  addBRolls: true,
  idOf: (index) => `brl_${index}`,
}

/** What a run shows in the end, and how many pictures it made for that. */
const shown = (plan: VisualPlan, owner = ownerOf('vid_1')) => {
  const shots = plan.map((shot) => ({ segment: shot.segment, ...mediaOf(owner, shot, makers) }))
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

describe('the first plan', () => {
  it('wants a picture of its own for every segment', () => {
    expect(first.segments.length).toBeGreaterThan(2)
    expect(first.made).toHaveLength(first.segments.length)
    expect(new Set(first.made.map(({ key }) => key)).size).toBe(first.segments.length)
    for (const { media, mediaType } of first.segments)
      expect(media).toMatchObject({ kind: mediaType === 'ai_image' ? 'still' : 'clip' })
  })

  it('is one picture for the whole without addBRolls', () => {
    const { segments } = shown(planVisuals({ ...input, addBRolls: false }))
    expect(segments).toMatchObject([{ startMs: 0, endMs: input.durationMs }])
  })
})

describe('a requeue without addBRolls', () => {
  it('leaves the segments as they are, edited or not, whatever is spoken now', () => {
    const segments = edit(0, { prompt: 'A lighthouse', media: null })
    for (const edited of [true, false])
      for (const same of [true, false]) {
        const { plan, isNew } = requeuedVisuals({ ...input, addBRolls: false }, stored(segments, edited, same))
        expect(shown(plan)).toEqual({ segments, made: [] })
        expect(isNew).toBe(false)
      }
  })
})

describe('a requeue with addBRolls', () => {
  it('keeps the segments that the client edited, and makes nothing where nothing is missing', () => {
    const segments = edit(1, { hidden: true, text: 'Shown as before', transition: 'fade' })
    const { plan, isNew } = requeuedVisuals(input, stored(segments))
    expect(shown(plan)).toEqual({ segments, made: [] })
    expect(isNew).toBe(false)
  })

  it('makes the media that new segments lack', () => {
    const added = { id: 'brl_mine', startMs: 0, endMs: 900, text: '', prompt: 'A lighthouse', keywords: [] }
    const segments: StoredBRoll[] = [
      { ...added, mediaType: 'ai_image', hidden: false, media: null },
      ...first.segments.slice(1),
    ]
    const { segments: after, made } = shown(requeuedVisuals(input, stored(segments)).plan)
    expect(made).toMatchObject([{ wish: { kind: 'still', prompt: 'A lighthouse', keywords: ['lighthouse'] } }])
    expect(after[0]).toEqual({ ...segments[0], media: { kind: 'still', key: made[0]!.key } })
    expect(after.slice(1)).toEqual(segments.slice(1))
  })

  const changes: [string, Partial<StoredBRoll>][] = [
    ['prompt', { prompt: 'A lighthouse' }],
    ['keywords', { keywords: ['lighthouse'] }],
    ['mediaType', { mediaType: 'ai_video' }],
    ['time', { endMs: first.segments[0]!.endMs - 100 }],
  ]
  it.each(changes)('makes the media of a segment anew whose %s was edited', (_name, change) => {
    const segments = edit(0, change)
    const { segments: after, made } = shown(requeuedVisuals(input, stored(segments)).plan)
    expect(made).toHaveLength(1)
    expect(after[0]!.media!.key).toBe(made[0]!.key)
    expect(after.slice(1)).toEqual(segments.slice(1))
  })

  it('makes all of it anew in another frame', () => {
    const wide = { ...input, brief: { ...input.brief, aspectRatio: '16:9' as const } }
    expect(shown(requeuedVisuals(wide, stored(first.segments)).plan).made).toHaveLength(first.segments.length)
  })

  it('leaves a presenter alone', () => {
    const media = { kind: 'clip' as const, key: 'wsp_1/vid_1/presenters/a.mp4' }
    const segments = edit(0, { presenter, media, prompt: 'Another' })
    expect(shown(requeuedVisuals(input, stored(segments)).plan)).toEqual({ segments, made: [] })
  })

  it('plans anew where nobody edited, where other words are spoken, and where no segment is left', () => {
    const cases = [stored(first.segments, false), stored(first.segments, true, false), stored([])]
    for (const given of cases) expect(requeuedVisuals(input, given)).toEqual({ plan: planVisuals(input), isNew: true })
  })

  it('that plans the same again finds every picture under its name', () => {
    expect(shown(planVisuals({ ...input, idOf: (index) => `brl_again_${index}` })).made).toEqual(first.made)
  })

  it('of a clip goes on showing the pictures of its source, and makes only its own', () => {
    const segments = edit(0, { prompt: 'A lighthouse' })
    const { segments: after, made } = shown(requeuedVisuals(input, stored(segments)).plan, ownerOf('vid_2'))
    expect(made).toMatchObject([{ key: expect.stringMatching(/^wsp_1\/vid_2\//) }])
    expect(after.slice(1)).toEqual(segments.slice(1))
    const again = shown(requeuedVisuals(input, stored(after)).plan, ownerOf('vid_2'))
    expect(again).toEqual({ segments: after, made: [] })
  })
})

describe('segments that a client edits while their pictures are made', () => {
  it('stand as edited, with what was made for those that are the same', () => {
    const unmade = first.segments.map((segment) => ({ ...segment, media: null }))
    const [one, two, three] = unmade
    const edited = [one!, { ...two!, prompt: 'A lighthouse' }, { ...three!, presenter }, { ...one!, id: 'brl_mine' }]
    expect(withMadeMedia(edited, first.segments)).toEqual([first.segments[0], ...edited.slice(1)])
  })
})
