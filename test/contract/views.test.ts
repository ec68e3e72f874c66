/** Resources as clients see them: exactly the fields of the contract, and nothing internal. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { exampleEventEnvelopes } from '../../lib/contract/openapi/examples/index.ts'
import * as resources from '../../lib/contract/resources/index.ts'
import * as webhookResources from '../../lib/contract/resources/webhooks.ts'
import { accountView, timelineViews, videoItemView, videoView, voiceView } from '../../lib/contract/views/index.ts'
import { deliveryView, newWebhookView, webhookView } from '../../lib/contract/views/webhooks.ts'
import { completeRender } from '../../lib/domain/videos/complete-job.ts'
import { failJob, requestRender } from '../../lib/domain/videos/job-transitions.ts'
import { builtInVoices } from '../../lib/domain/videos/voices.ts'
import { mintWebhookSecret } from '../../lib/domain/webhooks/signature.ts'
import { deliveryWith, webhookWith } from '../domain/support/deliveries.ts'
import { at, decidedVideo, generationResult, renderResult, videoThatIs, workspaceOn } from '../domain/support/videos.ts'

const addressOf = (key: string) => `https://m.test/${key}`

const starter = workspaceOn('starter')

const queued = videoThatIs.queued()

const rendering = videoThatIs.rendering(decidedVideo(requestRender(starter, videoThatIs.generated(), 'run_2', at(3))))

const ready = decidedVideo(completeRender(rendering, 'run_2', 0, renderResult, at(9)))

/** Every key in a value, at any depth. */
const namesIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(inner)])

const internal = [
  'runId',
  'charge',
  'version',
  'contentVersion',
  'shownVersion',
  'clearedVersion',
  'workspaceId',
  'mediaSecret',
  'attempt',
  'deadlineAt',
  'dueAt',
  'manifestKey',
  'inputVersion',
  'renderedVersion',
  'wishes',
  'titleIsWorking',
  'timelines',
  'audioKey',
  'renderKey',
  'videoCounts',
  'pk',
  'sk',
  'listPk',
  'status#',
  'searchTitle',
  'epoch',
  'sealedSecret',
  'leaseUntil',
]

describe('views', () => {
  /** As read from the store, with the attributes of its row. */
  const stored = { ...ready, pk: 'WS#1', sk: 'VIDEO', listPk: 'x', listSk: 'x', searchTitle: 'x' }

  const secret = mintWebhookSecret()
  const storedWebhook = { ...webhookWith(), pk: 'WS#1', sk: 'whk_1' }

  const payload = JSON.stringify(exampleEventEnvelopes()['video.created'])

  const storedDelivery = { ...deliveryWith({ payload }), pk: 'WS#1', sk: 'DELIVERY', listPk: 'x', duePk: 'x' }

  const resourcesShown = {
    video: videoView(stored, addressOf),
    videoItem: videoItemView(stored, addressOf),
    account: accountView({ ...starter, ...{ pk: 'x', listPk: 'x' } }, at(0)),
    voice: voiceView(builtInVoices[0]!, true, addressOf),
    webhook: webhookView(storedWebhook),
    newWebhook: newWebhookView(storedWebhook, secret),
    delivery: deliveryView(storedDelivery),
  }

  it.each(Object.entries(resourcesShown))('of a %s expose nothing internal', (_name, shown) => {
    // A payload is shown as it was posted, and contains the workspace id.
    const { payload: _payload, ...fields } = shown as { payload?: unknown }
    expect(namesIn(fields).filter((name) => internal.includes(name))).toEqual([])
    expect(JSON.stringify(shown).replace(secret, '')).not.toMatch(/run_\d|"secret"(?!:"")|sealed/)
  })

  it.each([
    ['video', resources.video, resourcesShown.video],
    ['videoItem', resources.videoItem, resourcesShown.videoItem],
    ['account', resources.account, resourcesShown.account],
    ['voice', resources.voice, resourcesShown.voice],
    ['webhook', webhookResources.webhook, resourcesShown.webhook],
    ['newWebhook', webhookResources.newWebhook, resourcesShown.newWebhook],
    ['delivery', webhookResources.delivery, resourcesShown.delivery],
  ])('of a %s have exactly the fields of the contract', (_name, schema, shown) => {
    expect(v.parse(schema, shown)).toEqual(shown)
  })

  it('of a video in every state conform to the contract', () => {
    const failed = decidedVideo(
      failJob(queued, 'process', 'run_1', { code: 'timeout', message: 'Late.', blocked: false }, at(5)),
    )
    for (const video of [queued, videoThatIs.generating(), videoThatIs.generated(), rendering, ready, failed])
      expect(v.parse(resources.video, videoView(video, addressOf))).toEqual(videoView(video, addressOf))
  })

  it('of a new video have a queued process, no render, no publish and an empty config', () => {
    expect(videoView(queued, addressOf)).toMatchObject({
      status: 'processing',
      process: { status: 'QUEUED', progress: 0 },
      render: null,
      publish: null,
      config: {},
    })
  })

  it('of a list omit the config, the presenter and the presentation assets', () => {
    expect(namesIn(resourcesShown.videoItem)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(config|presenter|presentationAssets|captions|bRolls)$/)]),
    )
  })

  it('replace storage keys by URLs', () => {
    expect(resourcesShown.video.media).toMatchObject({
      renderUrl: addressOf(renderResult.renderKey),
      audioUrl: addressOf(generationResult.audioKey),
      sourceUrl: null,
      bytes: 1234,
    })
    const segment = {
      id: 'brl_1',
      startMs: 0,
      endMs: 1,
      text: '',
      prompt: '',
      keywords: [],
      mediaType: 'ai_image' as const,
      hidden: false,
    }
    const { bRolls } = timelineViews(
      {
        bRolls: [
          { ...segment, media: { kind: 'clip', key: 'a.mp4' } },
          { ...segment, media: null },
        ],
      },
      addressOf,
    )
    expect(bRolls).toEqual([
      { ...segment, url: 'https://m.test/a.mp4', type: 'video' },
      { ...segment, url: null, type: null },
    ])
  })

  it('of an unlimited account show null for its limits', () => {
    const { credits, limits, plan } = accountView(workspaceOn('self-hosted'), at(0))
    expect([
      credits.balance,
      credits.granted,
      plan.renewsAt,
      limits.generations.limit,
      limits.storage.limitBytes,
    ]).toEqual([null, null, null, null, null])
  })
})
