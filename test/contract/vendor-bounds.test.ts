/** What vendors, platforms, receivers and files give is cut or refused where it enters, to the bounds that responses have. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { errorLengthsMax, toErrorResponse } from '../../lib/contract/errors.ts'
import * as resources from '../../lib/contract/resources/index.ts'
import { profileAccount } from '../../lib/contract/resources/profiles.ts'
import * as webhookResources from '../../lib/contract/resources/webhooks.ts'
import { deliveryView } from '../../lib/contract/views/webhooks.ts'
import { accountFromConnection } from '../../lib/domain/accounts/account-lifecycle.ts'
import { normalUrl, urlLengthMax } from '../../lib/domain/core/bounded.ts'
import { JobFailure, ProviderRejected, toJobError } from '../../lib/domain/core/failures.ts'
import { Refusal } from '../../lib/domain/core/refusal.ts'
import { captionTextLengthMax, timelineItemsMax } from '../../lib/domain/core/timeline-item.ts'
import { captionWord, captionWordLengthMax, toCaptionWords } from '../../lib/domain/generation/captions/captions.ts'
import { extractKeywords, keywordLengthMax } from '../../lib/domain/generation/keywords.ts'
import { refuseUnstorable } from '../../lib/domain/generation/script.ts'
import { newPosting } from '../../lib/domain/publishing/posting.ts'
import { applyStepOutcome } from '../../lib/domain/publishing/posting-transitions.ts'
import { scriptLengthMax } from '../../lib/domain/records/brief.ts'
import { scriptSourcesMax } from '../../lib/domain/records/script.ts'
import { builtInVoices, offerable, vendorVoicesMax } from '../../lib/domain/videos/voices.ts'
import { dropDelivery, recordAttempt } from '../../lib/domain/webhooks/delivery-attempts.ts'
import { apiKeyNameLengthMax, decideNewApiKey } from '../../lib/domain/workspaces/api-key-lifecycle.ts'
import { createWorkspace, workspaceNameLengthMax } from '../../lib/domain/workspaces/workspace.ts'
import { slidesForm } from '../../lib/providers/director/output-schema.ts'
import { deliveryWith, neutralJitter, webhookWith } from '../domain/support/deliveries.ts'
import { at, workspaceOn } from '../domain/support/videos.ts'
import { refusalCodeOf } from '../support/refusals.ts'

/** Letters that UTF-16 needs two units for, and a URL twelve. */
const long = '🎤'.repeat(30_000)
const longUrl = `https://cdn.example/${'a'.repeat(urlLengthMax)}`

const expectFits = (schema: v.GenericSchema, shown: unknown) =>
  expect(v.safeParse(schema, shown).issues?.map((issue) => [v.getDotPath(issue), issue.message])).toBeUndefined()

const refusesScript = (fields: Partial<Parameters<typeof refuseUnstorable>[0]>) => () =>
  refuseUnstorable({ text: 'x', sources: [], ...fields })

describe('names and URLs', () => {
  const identity = { externalId: '1', username: long, displayName: long, pictureUrl: longUrl }

  it('of a social account are cut or left out', () => {
    const account = accountFromConnection(
      { workspaceId: 'wsp_1', id: 'prf_1' },
      'tiktok',
      undefined,
      { identity, settings: {} },
      'acc_1',
      at(0),
    )
    expectFits(profileAccount, account)
    expect(account.pictureUrl).toBeNull()
  })

  it.each([
    ['too long', longUrl],
    ['of another protocol', 'javascript:alert(1)'],
    ['not a URL', 'a post'],
  ])('of a post that is %s is not stored', (_what, url) => {
    const film = { bytes: 16, width: 1080, height: 1920, durationMs: 30_000, url: '', coverUrl: '' }
    const post = { id: 'run_1-acc_1', caption: '', title: '', language: 'en', film, acceptedAt: at(0) }
    const places = { workspaceId: 'wsp_1', videoId: 'vid_1', runId: 'run_1', profileId: 'prf_1', accountId: 'acc_1' }
    const posting = newPosting(
      { ...places, platform: 'tiktok', post, filmKey: 'film.mp4', deadlineAt: at(900) },
      { step: 'begin' },
    )
    const done = applyStepOutcome(posting, { kind: 'done', externalId: '7', url }, false, { now: at(1), timeScale: 1 })
    expect(done).toMatchObject({ phase: 'ended', end: { status: 'COMPLETED', externalId: '7', url: null } })
  })

  it('of voices are cut, and a voice whose id a brief cannot hold is not offered', () => {
    const [voice] = builtInVoices
    const voices = offerable([
      { ...voice!, name: long, previewUrl: longUrl },
      { ...voice!, id: long },
      ...Array.from({ length: vendorVoicesMax }, () => voice!),
    ])
    expect(voices).toHaveLength(vendorVoicesMax)
    for (const { previewUrl = null, ...shown } of voices) expectFits(resources.voice, { ...shown, previewUrl })
  })

  it('of a workspace and of a key are refused, also to the operator', () => {
    const newWorkspace = (name: string) => () =>
      createWorkspace({ id: 'wsp_1', name, planId: 'free', organizationId: null, mediaSecret: '' }, at(0))
    expect(newWorkspace('x'.repeat(workspaceNameLengthMax))().name).toHaveLength(workspaceNameLengthMax)
    expect(refusalCodeOf(newWorkspace('x'.repeat(workspaceNameLengthMax + 1)))).toBe('invalid-request')
    const newKey = (name: string) => () =>
      decideNewApiKey(workspaceOn('free'), {
        ...{ id: 'key_1', workspaceId: 'wsp_1', name, hash: '', lastFour: 'abcd', createdAt: at(0), revokedAt: null },
      })
    expect(newKey('x'.repeat(apiKeyNameLengthMax))().key.name).toHaveLength(apiKeyNameLengthMax)
    expect(refusalCodeOf(newKey('x'.repeat(apiKeyNameLengthMax + 1)))).toBe('invalid-request')
  })

  it('of a client are refused where only the normal form of the URL is too long', () => {
    const schema = v.pipe(v.string(), normalUrl())
    expect(v.safeParse(schema, `https://a.example/${'ü'.repeat(300)}`).success).toBe(true)
    expect(v.safeParse(schema, `https://a.example/${'ü'.repeat(400)}`).issues).toMatchObject([
      { message: `must be at most ${urlLengthMax} characters long in its percent-encoded form` },
    ])
  })
})

describe('words', () => {
  const spoken = (text: string, count = 1) => Array.from({ length: count }, () => ({ text, startMs: 0, endMs: 9 }))

  it.each([long, 'İ'.repeat(captionWordLengthMax)])('of a transcript are cut', (text) => {
    for (const word of toCaptionWords(spoken(text), () => 'cap_1')) expectFits(captionWord, word)
  })

  it('that are more than a video may have end the job', () => {
    const countOf = (text: string, count: number) => toCaptionWords(spoken(text, count), () => 'cap_1').length
    expect(countOf('x', timelineItemsMax)).toBe(timelineItemsMax)
    expect(() => countOf('x', timelineItemsMax + 1)).toThrow(JobFailure)
    const longest = 'x'.repeat(captionWordLengthMax)
    const countMax = captionTextLengthMax / captionWordLengthMax
    expect(countOf(longest, countMax)).toBe(countMax)
    expect(() => countOf(longest, countMax + 1)).toThrow(JobFailure)
  })

  it('that are longer than a keyword may be are none', () => {
    const [longest, longer] = ['x'.repeat(keywordLengthMax), 'y'.repeat(keywordLengthMax + 1)]
    expect(extractKeywords(`${longest} ${longer}`)).toEqual([longest])
  })

  it('that a director would emphasise are at most a free text', () => {
    const passage = 'word '.repeat(500)
    const slide = { template: 'quote', tone: 'light', quote: 'word', emphasis: passage.trim() }
    const { slides } = v.parse(slidesForm([passage], 0).schema, { slides: [slide] })
    expect(slides).toMatchObject([{ emphasis: '' }])
  })

  it('of a writer, and its sources, fit the record', () => {
    const source = { title: 'Sea', url: 'https://en.wikipedia.org/wiki/Sea', licence: null }
    expect(refusesScript({ text: 'x'.repeat(scriptLengthMax), sources: [source] })).not.toThrow()
    expect(refusesScript({ text: 'x'.repeat(scriptLengthMax + 1) })).toThrow(JobFailure)
    expect(refusesScript({ sources: Array(scriptSourcesMax + 1).fill(source) })).toThrow(JobFailure)
    expect(refusesScript({ sources: [{ ...source, title: long }] })).toThrow(JobFailure)
    expect(refusesScript({ sources: [{ ...source, url: longUrl }] })).toThrow(JobFailure)
  })
})

describe('messages', () => {
  it('of a vendor are cut in the error of a job', () => {
    expectFits(resources.jobError, {
      ...toJobError(new ProviderRejected(long), 'visuals-failed'),
      action: null,
    })
  })

  it('of a receiver are cut in the log of deliveries, and the reason of the service stays', () => {
    const failed = recordAttempt(
      deliveryWith({ payload: '{}' }),
      webhookWith(),
      { status: null, error: long },
      neutralJitter,
      at(1),
    ).delivery
    const dropped = dropDelivery(failed, 'Dropped: the endpoint was deleted.', at(2)).delivery
    const { lastError } = webhookResources.delivery.entries
    for (const one of [failed, dropped]) expectFits(lastError, deliveryView(one).lastError)
    expect(dropped.lastError).toMatch(/… Dropped: the endpoint was deleted\.$/)
  })

  it('of a refusal are cut, with the places that it names', () => {
    const details = Array.from({ length: errorLengthsMax.details + 1 }, () => ({ path: long, message: long }))
    const { error } = toErrorResponse(new Refusal('invalid-request', long, { details }), 'req').body
    expect(error.message.length).toBeLessThanOrEqual(errorLengthsMax.message)
    expect(error.details).toHaveLength(errorLengthsMax.details)
    for (const { path, message } of error.details!) {
      expect(path.length).toBeLessThanOrEqual(errorLengthsMax.path)
      expect(message.length).toBeLessThanOrEqual(errorLengthsMax.message)
    }
  })
})
