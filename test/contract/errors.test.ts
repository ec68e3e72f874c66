/** What leaves the service: the status of every refusal, resources without anything internal, and what an unknown path gets. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { httpStatusOf, toErrorResponse } from '../../lib/contract/errors.ts'
import { allowedMethods } from '../../lib/contract/match-path.ts'
import { exampleEventEnvelopes } from '../../lib/contract/openapi/examples/index.ts'
import * as resources from '../../lib/contract/resources/index.ts'
import * as webhookResources from '../../lib/contract/resources/webhooks.ts'
import { accountView, timelineViews, videoItemView, videoView, voiceView } from '../../lib/contract/views/index.ts'
import { deliveryView, newWebhookView, webhookView } from '../../lib/contract/views/webhooks.ts'
import { notFound, Refusal, refusalCodes } from '../../lib/domain/core/refusal.ts'
import { completeRender, failJob, requestRender } from '../../lib/domain/videos/jobs.ts'
import { builtInVoices } from '../../lib/domain/videos/voices.ts'
import { deliveryWith, webhookWith } from '../domain/support/deliveries.ts'
import { at, decidedVideo, generationResult, renderResult, videoThatIs, workspaceOn } from '../domain/support/videos.ts'

const addressOf = (key: string) => `https://m.test/${key}`
const starter = workspaceOn('starter')
const queued = videoThatIs.queued()
const rendering = videoThatIs.rendering(decidedVideo(requestRender(starter, videoThatIs.generated(), 'run_2', at(3))))
const ready = decidedVideo(completeRender(rendering, 'run_2', 0, renderResult, at(9)))

describe('errors', () => {
  const decided: Record<number, string[]> = {
    400: ['invalid-request', 'warning-invalid-events'],
    401: ['unauthorized'],
    402: [
      'no-credits',
      'plan-generations',
      'plan-storage',
      'plan-duration',
      'plan-render-time',
      'plan-publish',
      'plan-automations',
    ].map((name) => `warning-${name}`),
    404: ['not-found'],
    405: ['method-not-allowed'],
    409: [
      'limit-reached',
      'warning-source-not-ready',
      'wrong-video-type',
      'warning-invalid-input',
      'warning-publish-not-configured',
      'warning-publish-no-accounts',
      'warning-publish-auth',
      'warning-publish-duplicate',
      'job-in-progress',
      'idempotency-in-progress',
      'conflict',
    ],
    413: ['payload-too-large'],
    422: ['already-converted'],
    429: ['rate-limited'],
    503: ['unavailable'],
  }

  it.each(Object.entries(decided).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)))(
    '%s is a %i',
    (code, status) => {
      expect(Object.entries(httpStatusOf)).toContainEqual([code, status])
    },
  )

  it('of every code are decided, and no other', () => {
    expect(Object.values(decided).flat().toSorted()).toEqual([...refusalCodes].toSorted())
    expect(Object.keys(httpStatusOf).toSorted()).toEqual([...refusalCodes].toSorted())
  })

  it('say why a rule refused and what can be done about it', () => {
    const refusal = new Refusal('warning-no-credits', 'None left.', { action: 'credits', headers: { 'X-Test': '1' } })
    expect(toErrorResponse(refusal, 'req_1')).toEqual({
      status: 402,
      headers: { 'X-Test': '1' },
      body: {
        error: {
          status: 402,
          code: 'warning-no-credits',
          message: 'None left.',
          requestId: 'req_1',
          action: 'credits',
          blocked: true,
        },
      },
    })
    expect(toErrorResponse(notFound('video'), 'req_1').body).toEqual({
      error: { status: 404, code: 'not-found', message: 'No such video.', requestId: 'req_1' },
    })
  })

  it.each([
    [
      'an error',
      Object.assign(new Error('secret of table reelsmith'), {
        code: 'ENOENT',
        details: ['secret'],
        $metadata: { secret: 1 },
      }),
    ],
    ['a text', 'secret'],
    ['nothing', undefined],
    ['an error that looks like a refusal', { name: 'Refusal', code: 'not-found', message: 'secret', extras: {} }],
  ])('tell nothing of a fault: %s', (_name, fault) => {
    const answer = toErrorResponse(fault, 'req_1')
    expect(answer).toMatchObject({
      status: 500,
      headers: {},
      body: { error: { status: 500, code: 'internal-error', requestId: 'req_1' } },
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it.each([
    [{ name: 'TimeoutError' }],
    [{ $fault: 'server' }],
    [{ name: 'ThrottlingException' }],
    [{ name: 'TransactionConflictException' }],
    [{ code: 'ECONNRESET' }],
  ])('ask to come again where a service is in trouble: %j', (trouble) => {
    const answer = toErrorResponse(Object.assign(new Error('secret'), trouble), 'req_1')
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
      body: { error: { code: 'unavailable' } },
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })
})

/** Every name in a value, at any depth. */
const namesIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(inner)])

const internal = [
  'runId',
  'charge',
  'version',
  'contentVersion',
  'clearedVersion',
  'workspaceId',
  'mediaSecret',
  'attempt',
  'deadlineAt',
  'dueAt',
  'manifestKey',
  'inputVersion',
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
  /** As the store gives it back: with the attributes of its row. */
  const stored = { ...ready, pk: 'WS#1', sk: 'VIDEO', listPk: 'x', listSk: 'x', searchTitle: 'x' }
  const storedWebhook = { ...webhookWith(), pk: 'WS#1', sk: 'whk_1' }
  const payload = JSON.stringify(exampleEventEnvelopes()['video.created'])
  const storedDelivery = { ...deliveryWith({ payload }), pk: 'WS#1', sk: 'DELIVERY', listPk: 'x', duePk: 'x' }
  const resourcesShown = {
    video: videoView(stored, addressOf),
    videoItem: videoItemView(stored, addressOf),
    account: accountView({ ...starter, ...{ pk: 'x', listPk: 'x' } }, at(0)),
    voice: voiceView(builtInVoices[0]!, true, addressOf),
    webhook: webhookView(storedWebhook),
    newWebhook: newWebhookView(storedWebhook, 'whsec_1'),
    delivery: deliveryView(storedDelivery),
  }

  it.each(Object.entries(resourcesShown))('of a %s show nothing internal', (_name, shown) => {
    // A payload is shown as it was posted, and says whose it is.
    const { payload: _payload, ...fields } = shown as { payload?: unknown }
    expect(namesIn(fields).filter((name) => internal.includes(name))).toEqual([])
    expect(JSON.stringify(shown)).not.toMatch(/run_\d|"secret"(?!:"whsec_1")|sealed/)
  })

  it.each([
    ['video', resources.video, resourcesShown.video],
    ['videoItem', resources.videoItem, resourcesShown.videoItem],
    ['account', resources.account, resourcesShown.account],
    ['voice', resources.voice, resourcesShown.voice],
    ['webhook', webhookResources.webhook, resourcesShown.webhook],
    ['newWebhook', webhookResources.newWebhook, resourcesShown.newWebhook],
    ['delivery', webhookResources.delivery, resourcesShown.delivery],
  ])('of a %s show exactly what the contract names', (_name, schema, shown) => {
    expect(v.parse(schema, shown)).toEqual(shown)
  })

  it('of every moment of a video keep to the contract', () => {
    const failed = decidedVideo(
      failJob(queued, 'process', 'run_1', { code: 'timeout', message: 'Late.', blocked: false }, at(5)),
    )
    for (const video of [queued, videoThatIs.generating(), videoThatIs.generated(), rendering, ready, failed])
      expect(v.parse(resources.video, videoView(video, addressOf))).toEqual(videoView(video, addressOf))
  })

  it('of a new video show a queued process, no render, no publish and an empty config', () => {
    expect(videoView(queued, addressOf)).toMatchObject({
      status: 'processing',
      process: { status: 'QUEUED', progress: 0 },
      render: null,
      publish: null,
      config: {},
    })
  })

  it('of a list hide the config, the presenter and the presentation assets', () => {
    expect(namesIn(resourcesShown.videoItem)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(config|presenter|presentationAssets|captions|bRolls)$/)]),
    )
  })

  it('turn places into addresses', () => {
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

  it('of an account without a balance show null for what has no end', () => {
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

describe('a path of the table', () => {
  it.each([
    ['/v1/', ['GET']],
    ['/v1', ['GET']],
    ['/v1/videos', ['GET', 'POST']],
    ['/v1/videos/vid_1', ['DELETE', 'GET', 'PATCH']],
    ['/v1/videos/vid_1/render', ['POST']],
    ['/v1/voices', ['GET']],
    ['/v1/webhooks/deliveries', ['GET']],
  ])('%s takes %j', (path, methods) => {
    expect(allowedMethods(path).toSorted()).toEqual(methods)
  })

  it.each(['/', '/v2/videos', '/videos', '/v1/nothing', '/v1/videos/vid_1/render/now'])('%s is not one', (path) => {
    expect(allowedMethods(path)).toEqual([])
  })
})
