/** What clients do: an action for every route that changes something, and some that combine requests. */
import type { Route } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { eventTypes } from '../../lib/domain/records/event.ts'
import type { RequestInput } from './client.ts'
import type { Session, VideoBody } from './session.ts'

type Action = { weight: number; run: (session: Session) => Promise<unknown> }

const onVideo =
  (route: Route, body?: (session: Session) => unknown) =>
  async (session: Session): Promise<unknown> => {
    const id = session.video()
    return id && session.send(route, { params: { id }, ...(body && { body: body(session) }) })
  }

const onReady =
  (route: Route, input: (session: Session, video: VideoBody) => RequestInput | undefined) =>
  async (session: Session): Promise<unknown> => {
    const video = await session.readyVideo()
    const request = video && input(session, video)
    return request && session.send(route, { ...request, params: { id: video.id, ...request.params } })
  }

const onAutomation =
  (route: Route, body?: (session: Session) => unknown) =>
  async (session: Session): Promise<unknown> => {
    const { automations = [] } = session.known
    const id = session.random.pick(automations)
    return id && session.send(route, { params: { id }, ...(body && { body: body(session) }) })
  }

const onWebhook =
  (route: Route, body?: (session: Session) => unknown) =>
  async (session: Session): Promise<unknown> => {
    const { webhooks = [] } = session.known
    const id = session.random.pick(webhooks)?.id
    return id && session.send(route, { params: { id }, ...(body && { body: body(session) }) })
  }

const topics = ['Calm mornings', 'Why rain smells', 'Three habits', 'A short walk']

function briefOf({ random, theme }: Session) {
  const kind = random.weighted([
    ['faceless', theme === 'publishing' ? 20 : 5],
    ['ai', theme === 'scenes' ? 20 : 2],
    ['presentation', theme === 'presentations' ? 20 : 1],
  ])
  return {
    prompt: random.pick(topics),
    ...(kind === 'presentation' ? { type: 'faceless', subType: kind } : { type: kind }),
    process: {
      render: random.chance(theme === 'publishing' ? 1 : 0.6),
      transcribe: random.chance(0.9),
      addBRolls: random.chance(0.9),
    },
  }
}

const scheduleOf = ({ random, world }: Session) => {
  const timeZone = random.weighted([
    ['UTC', 2],
    ['Europe/Berlin', 1],
    ['America/New_York', 1],
  ])
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  const time = clock.format(world.schedule.now() + random.integer(2, 50) * 60_000)
  return {
    frequency: 'daily',
    timezone: timeZone,
    times: [{ time, mode: random.pick(['fixed', 'random']) }],
  }
}

const receivers = ['https://one.example.com/hooks', 'https://two.example.com/hooks']

async function uploadFile(session: Session): Promise<void> {
  const { random, world } = session
  const body = Buffer.from(`a file of ${random.integer(0, 1e9)}`)
  // A head that the service takes for an mp4.
  const file = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(12), body])
  const answer = await session.send(routes.createUpload, {
    body: {
      fileName: 'clip.mp4',
      contentType: 'video/mp4',
      bytes: file.byteLength,
      process: { render: random.chance(0.5) },
    },
  })
  const upload = answer?.body.data as { id: string; uploadUrl: string } | undefined
  if (!upload?.uploadUrl || random.chance(0.15)) return
  await session.sleep(random.integer(100, 20_000))
  const sent = random.weighted([
    [file, 6],
    [body, 1],
    [Buffer.concat([file, Buffer.from('more')]), 1],
    [Buffer.concat([Buffer.alloc(28), body]), 1],
  ])
  const type = random.chance(0.1) ? 'text/plain' : 'video/mp4'
  const key = new URL(upload.uploadUrl).pathname.slice(1)
  world.upload(key, sent, type)
  for (let looks = 0; looks < 6; looks++) {
    await session.sleep(random.integer(1_000, 20_000))
    const seen = await session.send(routes.getUpload, { params: { id: upload.id } })
    const { status, videoId } = (seen?.body.data ?? {}) as { status?: string; videoId?: string | null }
    if (status === 'received' && random.chance(0.3)) uploadAgain(session, key, { body: sent, type })
    if (status === 'received' && videoId) session.known.videos = [...(session.known.videos ?? []), videoId]
    if (status && status !== 'waiting') return
  }
}

/** A client that repeats its request once the file is gone with its video. */
function uploadAgain({ random, sleep, world }: Session, key: string, { body, type }: { body: Buffer; type: string }) {
  void world.client(async () => {
    await sleep(random.integer(20, 60) * 60_000)
    if (!world.storage.objects.has(key)) world.upload(key, body, type)
    // Until the service knows of it.
    await sleep(30_000)
  })
}

async function connect(session: Session): Promise<void> {
  const platform = session.random.pick(['tiktok', 'youtube'])
  const answer = await session.send(routes.beginConnection, {
    params: { id: session.workspace.profileId },
    body: { platform },
  })
  const { url } = (answer?.body.data ?? {}) as { url?: string }
  const state = url && new URL(url).searchParams.get('state')
  if (!state) return
  const query = { state, code: `user-${session.random.integer(1, 3)}` }
  await session.send(routes.finishConnection, { params: { platform }, query })
}

async function createWebhook(session: Session): Promise<void> {
  const { random } = session
  const events = random.chance(0.7) ? [...eventTypes] : random.shuffled([...eventTypes]).slice(0, 4)
  const answer = await session.send(routes.createWebhook, { body: { url: random.pick(receivers), events } })
  const created = answer?.body.data as { id: string; secret: string } | undefined
  if (answer?.status === 201 && created) session.known.webhooks = [...(session.known.webhooks ?? []), created]
}

async function createKey(session: Session): Promise<void> {
  const answer = await session.send(routes.createKey, { body: { name: 'A key', scope: 'standard' } })
  const created = answer?.body.data as { id: string; key: string } | undefined
  if (answer?.status === 201 && created) session.known.keys = [...(session.known.keys ?? []), created]
}

/** Revokes a key, and sees that the next request with it is refused. */
async function revokeKey(session: Session): Promise<void> {
  const { workspace, known, random, world } = session
  const key = random.pick(known.keys ?? [])
  const answer = key && (await session.send(routes.revokeKey, { params: { id: key.id } }))
  if (answer?.status !== 200) return
  const refused = await session.sendAs({ ...workspace, apiKey: key!.key }, routes.getAccount)
  if (refused && refused.status < 400)
    world.monitor.broken.push({ invariant: 'I15', what: `The revoked key ${key!.id} was accepted.` })
}

async function resend(session: Session): Promise<unknown> {
  const listed = await session.send(routes.listDeliveries)
  const found = (listed?.body.data as { id: string }[] | undefined) ?? []
  const id = session.random.pick(found)?.id
  return id && session.send(routes.resendDelivery, { params: { id } })
}

/** By signature. A test requires one for every route that is not a GET. */
export const actions: Record<string, Action> = {
  'POST /videos': {
    weight: 10,
    run: (session) => session.create('videos', routes.createVideo, { body: briefOf(session) }),
  },
  'PATCH /videos/{id}': {
    weight: 3,
    run: onVideo(routes.editVideo, ({ random }) => ({ title: `Title ${random.integer(1, 9)}` })),
  },
  'DELETE /videos/{id}': { weight: 3, run: onVideo(routes.deleteVideo) },
  'POST /videos/{id}/clips': {
    weight: 4,
    run: async (session) => {
      const video = await session.readyVideo()
      const body = { regenerate: session.random.chance(0.4), render: session.random.chance(0.5) }
      if (video) await session.create('videos', routes.createClip, { params: { id: video.id }, body })
    },
  },
  'PATCH /videos/{id}/config': {
    weight: 2,
    run: onVideo(routes.mergeConfig, ({ random }) => ({ captionsFontSize: random.integer(40, 80) })),
  },
  'DELETE /videos/{id}/config': { weight: 1, run: onVideo(routes.resetConfig) },
  'POST /videos/{id}/process': {
    weight: 3,
    run: onVideo(routes.processVideo, ({ random }) => ({ render: random.chance(0.5) })),
  },
  'POST /videos/{id}/script': { weight: 3, run: onVideo(routes.writeScript, () => ({ prompt: 'Playful' })) },
  'POST /videos/{id}/render': { weight: 5, run: onReady(routes.renderVideo, () => ({})) },
  'POST /videos/{id}/convert': { weight: 3, run: onReady(routes.convertVideo, () => ({})) },
  'POST /videos/{id}/description': { weight: 3, run: onReady(routes.describeVideo, () => ({ body: {} })) },
  'POST /videos/{id}/publish': {
    weight: 6,
    run: async (session) => {
      const { random, workspace } = session
      const video = await session.readyVideo('', ({ media }) => media.renderUrl !== null)
      const body = {
        caption: `Caption ${random.integer(1, 3)}`,
        profileId: workspace.profileId,
        platforms: random.chance(0.7) ? ['twitter', 'bluesky'] : ['twitter'],
      }
      const headers = { prefer: `wait=${random.pick([0, 5, 20])}` }
      return video && session.send(routes.publishVideo, { params: { id: video.id }, body, headers })
    },
  },
  'PUT /videos/{id}/captions': {
    weight: 3,
    run: onReady(
      routes.replaceCaptions,
      (_session, { captions, captionsPages }) => captions && { body: { captions, captionsPages } },
    ),
  },
  'PUT /videos/{id}/brolls': {
    weight: 3,
    run: onReady(routes.replaceBRolls, (_session, { bRolls }) => bRolls && { body: bRolls }),
  },
  'PUT /videos/{id}/brolls/{brollId}/picture': {
    weight: 1,
    run: onReady(routes.setBRollPicture, ({ random }, { bRolls = [] }) => {
      const segment = random.pick(bRolls)
      return segment && { params: { brollId: segment.id }, body: routes.setBRollPicture.bodyExample }
    }),
  },
  'POST /videos/{id}/brolls/{brollId}/presenter': {
    weight: 2,
    run: onReady(routes.makePresenter, ({ random }, { bRolls = [] }) => {
      const segment = random.pick(bRolls)
      return (
        segment && {
          params: { brollId: segment.id },
          body: { imageUrl: 'https://images.example.com/clara.png', avatarId: 'clara' },
        }
      )
    }),
  },
  'PUT /videos/{id}/presentation-scenes': {
    weight: 1,
    run: onReady(
      routes.replacePresentationScenes,
      (_session, { presentationScenes }) => presentationScenes && { body: presentationScenes },
    ),
  },
  'POST /videos/{id}/presentation-scenes/recut': { weight: 2, run: onReady(routes.recutPresentation, () => ({})) },
  'POST /quotes': {
    weight: 1,
    run: (session) => session.send(routes.createQuote, { body: { action: 'createVideo', body: briefOf(session) } }),
  },
  'POST /uploads': { weight: 4, run: uploadFile },
  'POST /profiles/{id}/connections': { weight: 2, run: connect },
  'POST /automations': {
    weight: 3,
    run: (session) => session.create('automations', routes.createAutomation, { body: briefOf(session) }),
  },
  'PATCH /automations/{id}': {
    weight: 6,
    run: onAutomation(routes.editAutomation, (session) => ({
      schedule: scheduleOf(session),
      profileId: session.workspace.profileId,
      platforms: ['twitter', 'bluesky'],
      autoRefill: true,
      status: session.random.chance(0.8) ? 'active' : 'paused',
    })),
  },
  'DELETE /automations/{id}': { weight: 1, run: onAutomation(routes.deleteAutomation) },
  'POST /automations/{id}/run': { weight: 3, run: onAutomation(routes.runAutomation) },
  'POST /videos/{id}/promote': {
    weight: 2,
    run: async (session) => {
      const video = await session.readyVideo()
      if (!video) return
      const answer = await session.send(routes.promoteVideo, {
        params: { id: video.id },
        body: { enabled: session.random.chance(0.8) },
      })
      if (answer?.status === 200) session.known.automations = [...(session.known.automations ?? []), video.id]
    },
  },
  'POST /videos/{id}/scenes': {
    weight: 2,
    run: onReady(routes.addScene, (_session, { scenes = [] }) => ({ body: { afterSceneId: scenes[0]?.id } })),
  },
  'PATCH /videos/{id}/scenes/{sceneId}': {
    weight: 2,
    run: onReady(routes.editScene, ({ random }, { scenes = [] }) => {
      const scene = random.pick(scenes)
      return scene && { params: { sceneId: scene.id }, body: { narration: `Take ${random.integer(1, 9)} of it.` } }
    }),
  },
  'DELETE /videos/{id}/scenes/{sceneId}': {
    weight: 1,
    run: onReady(routes.removeScene, ({ random }, { scenes = [] }) => {
      const scene = random.pick(scenes)
      return scene && { params: { sceneId: scene.id } }
    }),
  },
  'POST /videos/{id}/scenes/{sceneId}/image': {
    weight: 2,
    run: onReady(routes.drawSceneImage, ({ random }, { scenes = [] }) => {
      const scene = random.pick(scenes)
      return scene && { params: { sceneId: scene.id }, body: { prompt: 'A kettle' } }
    }),
  },
  'POST /webhooks': { weight: 3, run: createWebhook },
  'PATCH /webhooks/{id}': {
    weight: 3,
    run: onWebhook(routes.editWebhook, ({ random }) =>
      random.chance(0.6) ? { enabled: random.chance(0.6) } : { url: random.pick(receivers) },
    ),
  },
  'DELETE /webhooks/{id}': { weight: 2, run: onWebhook(routes.deleteWebhook) },
  'POST /webhooks/{id}/test': { weight: 1, run: onWebhook(routes.testWebhook) },
  'POST /webhooks/{id}/replay': {
    weight: 2,
    run: onWebhook(routes.replayEvents, ({ world }) => ({
      from: new Date(world.startAt).toISOString(),
      to: new Date(world.schedule.now()).toISOString(),
    })),
  },
  'POST /webhooks/deliveries/{id}/resend': { weight: 2, run: resend },
  'POST /keys': { weight: 2, run: createKey },
  'DELETE /keys/{id}': { weight: 2, run: revokeKey },
}

/** Deletes a video while its generation starts, as a client does that has sent the wrong brief. */
async function createAndDelete(session: Session): Promise<void> {
  const answer = await session.send(routes.createVideo, { body: briefOf(session) })
  const { id } = (answer?.body.data ?? {}) as { id?: string }
  await session.sleep(session.random.integer(10, 1_500))
  if (id) await session.send(routes.deleteVideo, { params: { id } })
}

async function deleteWhileDescribing(session: Session): Promise<void> {
  const video = await session.readyVideo()
  if (!video) return
  const params = { id: video.id }
  const describing = session.send(routes.describeVideo, { params, body: {} })
  // The writer takes 0.3 to 3 s.
  await session.sleep(session.random.integer(100, 2_000))
  await Promise.all([describing, session.send(routes.deleteVideo, { params })])
}

/** Two clients ask for a description: the second one as soon as the first one's is written. */
async function describeTwice(session: Session): Promise<void> {
  const video = await session.readyVideo()
  if (!video) return
  const params = { id: video.id }
  const describe = () => session.send(routes.describeVideo, { params, body: {} })
  const another = async () => {
    for (let tries = 0; tries < 10; tries++) {
      await session.sleep(session.random.integer(100, 500))
      const answer = await describe()
      if (answer && answer.status !== 409) return
    }
  }
  await Promise.all([describe(), another()])
}

/** Deletes a video while a clip of it is created. */
async function deleteWhileClipping(session: Session): Promise<void> {
  const video = await session.readyVideo()
  if (!video) return
  const params = { id: video.id }
  const clipping = session.create('videos', routes.createClip, { params, body: { regenerate: false, render: false } })
  await session.sleep(session.random.integer(0, 50))
  await Promise.all([clipping, session.send(routes.deleteVideo, { params })])
}

/** Reads the journal by its cursor: each event once, and none in front of one that was read. */
async function followEvents(session: Session): Promise<void> {
  const { random, world } = session
  let [after, last] = [0, Number.NaN]
  for (let pages = 0; pages < 60; pages++) {
    const query = { after: String(after), limit: String(random.integer(1, 5)) }
    const answer = await session.send(routes.listEvents, { query })
    if (answer?.status === 200) {
      const { nextAfter } = answer.body.paging as { nextAfter: number }
      for (const { sequence } of answer.body.data as { sequence: number }[]) {
        if (sequence !== last + 1 && !Number.isNaN(last))
          world.monitor.broken.push({ invariant: 'I6', what: `A reader got the event ${sequence} after ${last}.` })
        last = sequence
      }
      if (!Number.isNaN(last)) after = nextAfter
    }
    await session.sleep(random.integer(50, 3_000))
  }
}

/** Disables an endpoint while its receiver is repaired. */
async function repairReceiver(session: Session): Promise<void> {
  for (let looks = 0; looks < 8; looks++) {
    await session.sleep(session.random.integer(5_000, 60_000))
    const answer = await session.send(routes.listWebhooks)
    const found = (answer?.body.data ?? []) as { id: string; enabled: boolean; failureCount: number }[]
    const failing = found.find(({ enabled, failureCount }) => enabled && failureCount > 0)
    if (!failing) continue
    const params = { id: failing.id }
    await session.send(routes.editWebhook, { params, body: { enabled: false } })
    await session.sleep(session.random.integer(1_000, 30_000))
    await session.send(routes.editWebhook, { params, body: { enabled: true } })
    return
  }
}

/** Moves an endpoint again and again while requests to its former URLs are open. */
async function moveEndpoint(session: Session): Promise<void> {
  const { random } = session
  const id = random.pick(session.known.webhooks ?? [])?.id
  if (!id) return
  for (let moves = 1; moves <= 8; moves++) {
    // None of which has failed before.
    const url = `https://${id.replace('_', '-')}-${moves}.example.com/hooks`
    await session.send(routes.editWebhook, { params: { id }, body: { url } })
    await session.sleep(random.integer(500, 8_000))
  }
}

/** Publishes with the same caption what failed, as a client does that does not look why. */
async function publishAgain(session: Session): Promise<void> {
  const video = await session.readyVideo('', ({ publish }) => publish?.status === 'FAILED')
  if (!video) return
  const { caption } = video.publish!
  const body = { caption, profileId: session.workspace.profileId, platforms: ['twitter', 'bluesky'] }
  await session.send(routes.publishVideo, { params: { id: video.id }, body })
}

/** Changes the style of a film, so that every part of it is rendered again. */
async function restyle(session: Session): Promise<void> {
  const { random } = session
  const video = await session.readyVideo('', ({ render }) => !['QUEUED', 'PROCESSING'].includes(render?.status ?? ''))
  if (!video) return
  const params = { id: video.id }
  await session.send(routes.mergeConfig, { params, body: { captionsFontSize: random.integer(40, 80) } })
  await session.send(routes.renderVideo, { params })
}

/** Edits a scene while the film of the scenes before is rendered. */
async function editWhileRendering(session: Session): Promise<void> {
  const { random } = session
  const video = await session.readyVideo('scenes', ({ scenes = [] }) => scenes.length > 0)
  if (!video) return
  const params = { id: video.id, sceneId: random.pick(video.scenes!)!.id }
  await session.send(routes.mergeConfig, { params, body: { captionsFontSize: random.integer(40, 80) } })
  await session.send(routes.renderVideo, { params })
  await session.sleep(random.integer(0, 20_000))
  await session.send(routes.editScene, { params, body: { narration: `Take ${random.integer(1, 9)} of it.` } })
}

/** Pauses and resumes an automation that has a clip to schedule, and leaves it as either. */
async function toggleAutomation(session: Session): Promise<void> {
  const { random } = session
  const id = random.pick(session.known.automations ?? [])
  if (!id) return
  for (let looks = 0; looks < 6; looks++) {
    const answer = await session.send(routes.listClips, { params: { id } })
    const clips = answer?.status === 200 ? (answer.body.data as VideoBody[]) : []
    if (clips.some(({ render }) => render?.status === 'COMPLETED')) break
    await session.sleep(random.integer(15_000, 90_000))
  }
  for (let times = 0; times < 12; times++)
    for (const status of ['active', 'paused']) {
      await session.send(routes.editAutomation, { params: { id }, body: { status } })
      await session.sleep(random.integer(10, random.pick([100, 1_000])))
    }
  if (random.chance(0.5)) await session.send(routes.editAutomation, { params: { id }, body: { status: 'active' } })
}

/** Reads that wait or that queue a render, and requests that meet. */
export const further: Record<string, Action> = {
  'GET /videos/{id}/download': { weight: 2, run: onReady(routes.downloadVideo, () => ({})) },
  'GET /events': { weight: 1, run: (session) => session.send(routes.listEvents, { headers: { prefer: 'wait=5' } }) },
  'GET /events by their cursor': { weight: 1, run: followEvents },
  'GET /videos': { weight: 1, run: (session) => session.send(routes.listVideos, { query: { search: 'calm' } }) },
  'POST /videos, and DELETE /videos/{id}': { weight: 2, run: createAndDelete },
  'DELETE /videos/{id} while its description is written': { weight: 1, run: deleteWhileDescribing },
  'PATCH /webhooks/{id} off and on': { weight: 1, run: repairReceiver },
  'PATCH /webhooks/{id} to one URL after another': { weight: 1, run: moveEndpoint },
  'POST /videos/{id}/description twice': { weight: 1, run: describeTwice },
  'POST /videos/{id}/clips, and DELETE /videos/{id}': { weight: 1, run: deleteWhileClipping },
  'POST /videos/{id}/publish again': { weight: 1, run: publishAgain },
  'PATCH /videos/{id}/scenes/{sceneId} while a render runs': { weight: 1, run: editWhileRendering },
  'PATCH /automations/{id} on and off': { weight: 1, run: toggleAutomation },
  'PATCH /videos/{id}/config, and POST /videos/{id}/render': { weight: 3, run: restyle },
}
