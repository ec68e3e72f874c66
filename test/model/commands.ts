/**
 * The commands of the model's sequences: each is a name and numbers, from which it chooses its target and values, so
 * that a sequence without some of its commands is one, too.
 */
import {
  act,
  type Client,
  checkAccount,
  checkDeliveries,
  checkEvents,
  checkVideo,
  checkWebhooks,
  type Data,
  same,
  send,
} from './client.ts'
import * as rules from './model.ts'
import { type Video, viewOf } from './model.ts'
import { masked } from './service.ts'

export interface Command {
  name: CommandName
  /** Which of the two clients. */
  client: number
  /** Whole numbers from 0 to 999. */
  numbers: number[]
}

/** Chooses by the numbers of a command. */
class Choice {
  readonly #numbers: number[]
  #next = 0
  constructor(numbers: number[]) {
    this.#numbers = numbers
  }
  below(bound: number): number {
    const drawn = this.#numbers[this.#next++ % this.#numbers.length]!
    return (drawn + this.#next * 7) % bound
  }
  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!
  }
  oneIn(count: number): boolean {
    return this.below(count) === 0
  }
}

type Body = (client: Client, choice: Choice) => Promise<void>

const words = ['calm', 'mornings', 'begin', 'in', 'the', 'evening', 'with', 'tea']
const sentence = (choice: Choice) => `${choice.of(words)} ${choice.of(words)} ${choice.below(100)}`
const keyOf = (choice: Choice) => (choice.oneIn(3) ? `key-${choice.below(2)}` : undefined)

/** Mostly a video of the workspace; else one of the other client, or none at all. */
function target(client: Client, choice: Choice, wanted: (video: Video) => boolean = () => true): string {
  const { videos } = client.model
  const fitting = videos.filter(wanted)
  if (choice.oneIn(14) || videos.length === 0)
    return choice.of([client.other?.model.videos[0]?.id ?? 'vid_none', 'vid_none'])
  return choice.of(fitting.length > 0 && !choice.oneIn(6) ? fitting : videos).id
}

const find = ({ model }: Client, id: string) => model.videos.find((video) => video.id === id)

/** Compares all that the action may have changed. */
async function settled(client: Client, id?: string, stores = false): Promise<void> {
  const video = id === undefined ? undefined : find(client, id)
  await client.service.performOutbox(client.model)
  await checkAccount(client, stores ? video : undefined)
  if (video) await checkVideo(client, video, stores)
}

const showsVideo = (client: Client, id: string) => (_: unknown, data: unknown) =>
  same(masked(data), viewOf(find(client, id)!), `the response about ${id}`)

const isOpen = (job: { status: string } | null) => job?.status === 'QUEUED' || job?.status === 'PROCESSING'
const generated = (video: Video) => video.hasAudio
const isAi = (video: Video) => video.type === 'ai'

function briefOf(client: Client, choice: Choice): Record<string, unknown> {
  const voiceProvider = choice.oneIn(5) ? 'expressive' : 'standard'
  const render = choice.oneIn(3)
  return {
    ...(choice.oneIn(3) ? { text: `${sentence(choice)}.` } : { prompt: sentence(choice) }),
    ...(choice.oneIn(3) ? { type: 'ai' } : choice.oneIn(4) ? { subType: 'presentation' } : {}),
    ...(choice.oneIn(4) ? { title: sentence(choice) } : {}),
    ...(choice.oneIn(4) ? { videoDuration: choice.of(['subminute', 'short', 'medium']) } : {}),
    ...(voiceProvider === 'expressive' && client.voices.expressive
      ? { voiceProvider, voiceId: client.voices.expressive }
      : {}),
    ...(render ? { process: { render } } : {}),
  }
}

async function create(client: Client, choice: Choice, path: '/videos' | '/automations'): Promise<void> {
  const body = briefOf(client, choice)
  const isAutomation = path === '/automations'
  let id: string | undefined
  await act(client, {
    ...{ method: 'POST', path, body, key: keyOf(choice), status: 201 },
    predict: () =>
      rules.createVideo(client.model, { ...body, ...(isAutomation ? { isAutomation } : {}) }, client.voices.standard!),
    learn: (make, data) => {
      id = data.id as string
      const video = make(id)
      same(masked(isAutomation ? data.source : data), viewOf(video), `the response of POST ${path}`)
      if (isAutomation) checkAutomation(client, video, data)
    },
  })
  await settled(client, id)
}

function checkAutomation({ model }: Client, video: Video, data: Data): void {
  const automation = video.automation ?? undefined
  const { profileId, platforms } = video.destination ?? { profileId: null, platforms: [] }
  if (automation) {
    same(
      [data.status, data.autoRefill, data.schedule],
      [automation.status, automation.autoRefill, automation.schedule],
      `the automation ${video.id}`,
    )
    same(data.health.nextScheduledAt !== null, automation.status === 'active', `the next slot of ${video.id}`)
  }
  same(data.publishing, { profileId, platforms }, `the destination of ${video.id}`)
  same(
    data.health.blockers.map(({ id }: { id: string }) => id),
    rules.blockersOf(model, video),
    `the blockers of ${video.id}`,
  )
}

/** The content of a finished generation; times and ids are those of no other one. */
function contentOf(video: Video, choice: Choice): rules.Generated {
  const count = choice.below(4) + 1
  const captions = Array.from({ length: count }, (_, index) => ({
    ...{ id: `cap_${index}`, startMs: index * 400, endMs: index * 400 + 300, text: choice.of(words) },
    ...{ punctuated_word: words[index]!, confidence: 0.9 },
  }))
  const captionsPages = [{ id: 'pag_0', startMs: 0, endMs: count * 400, hidden: false, emoji: { name: 'tea' } }]
  const scene = (index: number) => ({
    ...{ id: `scn_${index}`, imagePrompt: 'A cup', animationPrompt: '', narration: sentence(choice), duration: 6 },
    ...{ voiceDescription: 'warm', imageKey: null, videoKey: null },
  })
  const scenes = video.type === 'ai' ? { scenes: [scene(0), scene(1)] } : { bRolls: [] }
  return { title: sentence(choice), durationSeconds: count / 2, timelines: { captions, captionsPages, ...scenes } }
}

const shownScene = ({ imageKey: _i, videoKey: _v, ...scene }: Record<string, unknown>) => ({
  ...scene,
  ...{ status: 'draft', imageUrl: null, videoUrl: null },
})

/** Ends an open job, as its pipeline would. */
const endJob: Body = async (client, choice) => {
  const { model, service } = client
  const open = model.videos.flatMap((video) =>
    (['process', 'render'] as const).flatMap((kind) => (isOpen(video[kind]) ? [{ video, kind }] : [])),
  )
  if (open.length === 0) return
  const { video, kind } = choice.of(open)
  const { id } = video
  const isOfPipeline = kind === 'process' && video.process.work !== 'generate'
  const begin = async () => {
    await service.begin(id, kind)
    rules.begin(model, video, kind)
  }
  client.log.push(`${kind} of ${id} goes on`)
  if (!isOfPipeline && choice.oneIn(5)) {
    if (video[kind]!.status === 'QUEUED') await begin()
    return settled(client, id)
  }
  if (choice.oneIn(5)) {
    await service.fail(id, kind, 'timeout')
    rules.fail(model, video, kind, { code: 'timeout', message: 'Too late.', blocked: false, action: null })
    return settled(client, id)
  }
  if (isOfPipeline) {
    rules.begin(model, video, 'process')
    if (video.process.work === 'clip') {
      await service.completeClip(id)
      rules.completeProcess(model, video, {})
    } else {
      await service.completeScript(id)
      const { title, brief } = (await service.call('GET', `/videos/${id}`)).body.data
      rules.completeScript(model, video, { title, text: brief.text })
    }
    return settled(client, id, true)
  }
  if (video[kind]!.status === 'QUEUED') await begin()
  if (kind === 'render') {
    await service.completeRender(id)
    rules.completeRender(model, video, client.film.mp4.byteLength)
  } else {
    const content = contentOf(video, choice)
    await service.completeGeneration(id, content)
    const scenes = content.timelines.scenes?.map(shownScene)
    rules.completeProcess(model, video, {
      ...content,
      timelines: { ...content.timelines, ...(scenes ? { scenes } : {}) },
    })
  }
  await settled(client, id, true)
}

/** An `If-Match` of the current revision, of an earlier one, or none; the model refuses the earlier one. */
function condition(
  client: Client,
  id: string,
  choice: Choice,
): { headers: Record<string, string>; refuse: () => void } {
  const video = find(client, id)
  const tags = client.tags.get(id)
  const none = { headers: {}, refuse: () => {} }
  if (!video || !tags || !choice.oneIn(3)) return none
  const isCurrent = choice.oneIn(2)
  const current = tags.get(video.revision)
  const other = [...tags.values()].find((tag) => tag !== current) ?? '"other"'
  if (!current) return none
  return {
    headers: { 'If-Match': isCurrent ? current : other },
    refuse: () => {
      if (!isCurrent) throw new rules.Refused(412, 'precondition-failed')
    },
  }
}

const patchVideo: Body = async (client, choice) => {
  const id = target(client, choice)
  const { headers, refuse } = condition(client, id, choice)
  const body = choice.of<Record<string, unknown>>([
    { title: sentence(choice) },
    { prompt: sentence(choice), scriptPrompt: sentence(choice) },
    { description: sentence(choice) },
    { aspectRatio: choice.of(['9:16', '16:9', '1:1']) },
    { showSubtitles: choice.oneIn(2) },
    { videoDuration: choice.of(['subminute', 'short']) },
    { title: sentence(choice), descriptionPrompt: null },
  ])
  await act(client, {
    ...{ method: 'PATCH', path: `/videos/${id}`, headers, body, status: 200 },
    predict: () => {
      rules.requireVideo(client.model, id)
      refuse()
      rules.patchVideo(client.model, id, body)
    },
    learn: showsVideo(client, id),
  })
  await settled(client, id)
}

const patchConfig: Body = async (client, choice) => {
  const id = target(client, choice)
  const { headers, refuse } = condition(client, id, choice)
  const keys = choice.of([
    { captionsFontSize: 20 + choice.below(100) },
    { captionsPrimaryColor: '#fff', layoutMode: 'word' },
    null,
  ])
  await act(client, {
    ...{
      method: keys ? 'PATCH' : 'DELETE',
      path: `/videos/${id}/config`,
      headers,
      body: keys ?? undefined,
      status: 200,
    },
    predict: () => {
      rules.requireVideo(client.model, id)
      refuse()
      rules.patchConfig(client.model, id, keys)
    },
    learn: (_, data) => same(data, find(client, id)!.config, `the config of ${id}`),
  })
  await settled(client, id)
}

/** Some stored items, changed or not, and some new ones. */
function itemsFor(
  stored: readonly Record<string, unknown>[],
  fields: (index: number) => Record<string, unknown>,
  choice: Choice,
) {
  const kept = stored.filter(() => !choice.oneIn(3)).map(({ id }, index) => ({ id, ...fields(index) }))
  return [...kept, ...Array.from({ length: choice.below(3) }, (_, index) => fields(kept.length + index))]
}

const putCaptions: Body = async (client, choice) => {
  const id = target(client, choice, generated)
  const { headers, refuse } = condition(client, id, choice)
  const stored = find(client, id)?.timelines
  const span = (index: number) => ({ startMs: index * 500, endMs: index * 500 + 400 })
  const half = choice.of(['captions', 'captionsPages', 'both'])
  const sent = {
    ...(half === 'captionsPages'
      ? {}
      : {
          captions: itemsFor(stored?.captions ?? [], (index) => ({ ...span(index), text: choice.of(words) }), choice),
        }),
    ...(half === 'captions'
      ? {}
      : {
          captionsPages: itemsFor(
            stored?.captionsPages ?? [],
            (index) => ({ ...span(index), ...(choice.oneIn(2) ? { hidden: true } : {}) }),
            choice,
          ),
        }),
  }
  await act(client, {
    ...{ method: 'PUT', path: `/videos/${id}/captions`, headers, body: sent, status: 200 },
    predict: () => {
      rules.requireVideo(client.model, id)
      refuse()
    },
    learn: (_, data) => {
      for (const name of ['captions', 'captionsPages'] as const)
        if (sent[name]) rules.putTimeline(client.model, id, name, sent[name], (index) => data[name][index].id)
      rules.timelinesReplaced(client.model, id)
      const { captions, captionsPages } = find(client, id)!.timelines
      same(data, { captions, captionsPages }, `the captions of ${id}`)
    },
  })
  await settled(client, id, true)
}

const putBRolls: Body = async (client, choice) => {
  const id = target(client, choice, generated)
  const { headers, refuse } = condition(client, id, choice)
  const fields = (index: number) => ({
    ...{ startMs: index * 500, endMs: index * 500 + 400, prompt: sentence(choice) },
    ...(choice.oneIn(2) ? { mediaType: 'stock_footage', keywords: ['tea'] } : {}),
  })
  const items = itemsFor(find(client, id)?.timelines.bRolls ?? [], fields, choice)
  const body = choice.oneIn(2) ? items : { bRolls: items }
  await act(client, {
    ...{ method: 'PUT', path: `/videos/${id}/brolls`, headers, body, status: 200 },
    predict: () => {
      rules.requireVideo(client.model, id)
      refuse()
    },
    learn: (_, data) => {
      const stored = rules.putTimeline(client.model, id, 'bRolls', items, (index) => data[index].id)
      rules.timelinesReplaced(client.model, id)
      same(data, stored, `the b-rolls of ${id}`)
    },
  })
  await settled(client, id, true)
}

const changeScene: Body = async (client, choice) => {
  const id = target(client, choice, isAi)
  const { headers, refuse } = condition(client, id, choice)
  const scenes = find(client, id)?.timelines.scenes ?? []
  const sceneId = choice.oneIn(8) || scenes.length === 0 ? 'scn_none' : String(choice.of(scenes).id)
  const fields = choice.of([
    { narration: sentence(choice) },
    { duration: 5 + choice.below(15), imagePrompt: sentence(choice) },
  ])
  const place = `/videos/${id}/scenes`
  const after = choice.oneIn(2) ? sceneId : null
  const [method, path, body, change] = choice.of([
    ['POST', place, after ? { afterSceneId: after } : {}, { add: after }],
    ['PATCH', `${place}/${sceneId}`, fields, { edit: sceneId, fields }],
    ['DELETE', `${place}/${sceneId}`, undefined, { remove: sceneId }],
  ] as const)
  await act(client, {
    ...{ method, path, headers, body, status: method === 'POST' ? 201 : 200 },
    predict: () => {
      rules.requireVideo(client.model, id)
      refuse()
      return rules.changeScenes(client.model, id, change)
    },
    learn: (make, data) => {
      const scene = make(data.id)
      same(data, method === 'DELETE' ? { ok: true } : scene, `the scene of ${id}`)
    },
  })
  await settled(client, id, true)
}

const requestJob: Body = async (client, choice) => {
  const id = target(client, choice)
  const render = choice.oneIn(2)
  const prompt = choice.oneIn(2) ? sentence(choice) : undefined
  const { model } = client
  const [path, body, predict] = choice.of([
    ['process', { render }, () => rules.requestProcess(model, id, render)],
    ['render', undefined, () => rules.requestRender(model, id)],
    ['render', undefined, () => rules.requestRender(model, id)],
    ['script', prompt === undefined ? {} : { prompt }, () => rules.requestScript(model, id, prompt)],
  ] as [string, unknown, () => void][])
  await act(client, {
    ...{ method: 'POST', path: `/videos/${id}/${path}`, body, key: keyOf(choice), status: 202, predict },
    learn: showsVideo(client, id),
  })
  await settled(client, id)
}

const convert: Body = async (client, choice) => {
  const id = target(client, choice, (video) => !isAi(video))
  // The conversion of an ai video is not modelled.
  if (find(client, id)?.type === 'ai') return
  await act(client, {
    ...{ method: 'POST', path: `/videos/${id}/convert`, status: 202, predict: () => rules.convert(client.model, id) },
  })
  await settled(client, id)
}

const describeVideo: Body = async (client, choice) => {
  const id = target(client, choice)
  const prompt = choice.oneIn(2) ? sentence(choice) : undefined
  await act(client, {
    ...{ method: 'POST', path: `/videos/${id}/description`, body: prompt === undefined ? {} : { prompt }, status: 200 },
    ...{ key: keyOf(choice), predict: () => rules.describe(client.model, id, prompt) },
    learn: (store, data) => {
      store(data.description)
      same(data.videoId, id, 'the described video')
    },
  })
  await settled(client, id, true)
}

const createClip: Body = async (client, choice) => {
  const source = target(client, choice)
  const [regenerate, render] = [choice.oneIn(3), choice.oneIn(2)]
  let id: string | undefined
  await act(client, {
    ...{
      method: 'POST',
      path: `/videos/${source}/clips`,
      body: { regenerate, render },
      key: keyOf(choice),
      status: 201,
    },
    predict: () => rules.createClip(client.model, source, regenerate, render),
    learn: (make, data) => {
      id = data.id as string
      const clip = make(id)
      learnIdea(clip, data)
      same(masked(data), viewOf(clip), 'the response about the clip')
    },
  })
  await settled(client, id)
}

/** The idea of a script of several sentences is the service's choice. */
function learnIdea(clip: Video, data: Data): void {
  if (String(clip.brief.prompt).startsWith(data.brief.prompt)) clip.brief.prompt = data.brief.prompt
}

const removeVideo: Body = async (client, choice) => {
  const id = target(client, choice)
  const path = choice.oneIn(4) ? 'automations' : 'videos'
  await act(client, {
    ...{ method: 'DELETE', path: `/${path}/${id}`, status: 200 },
    predict: () => rules.removeVideo(client.model, id, path === 'automations'),
    learn: (expected, data) => same(data, expected, `the deletion of ${id}`),
  })
  await settled(client)
}

const publish: Body = async (client, choice) => {
  const id = target(client, choice, (video) => video.renderBytes !== null)
  const platforms = choice.of([['bluesky'], ['bluesky', 'tiktok'], ['tiktok'], undefined])
  const body = {
    ...(platforms ? { platforms } : {}),
    ...(choice.oneIn(2) ? { caption: choice.of(words) } : {}),
    ...(choice.oneIn(4) ? { profileId: choice.oneIn(3) ? 'prf_none' : client.model.profile.id } : {}),
  }
  await act(client, {
    ...{ method: 'POST', path: `/videos/${id}/publish`, body, headers: { Prefer: 'wait=25' }, status: 200 },
    predict: () => rules.publish(client.model, id, body),
    learn: (done, data) => {
      done()
      same(masked(data.publish), find(client, id)!.publish, `the publication of ${id}`)
    },
  })
  await settled(client, id)
}

const patchAutomation: Body = async (client, choice) => {
  const id = target(client, choice, ({ isAutomation }) => isAutomation)
  const schedule = {
    frequency: 'weekly',
    timezone: 'Europe/Lisbon',
    times: [],
    days: [{ day: 'monday', time: '10:30', mode: 'fixed' }],
  }
  const { profile } = client.model
  const body = choice.of<Parameters<typeof rules.patchAutomation>[2]>([
    { schedule },
    { profileId: profile.id, platforms: ['bluesky'] },
    { platforms: choice.of([['tiktok'], ['bluesky', 'tiktok'], []]) },
    { profileId: choice.of(['prf_none', null]) },
    { autoRefill: false, status: 'paused' },
    { status: 'active' },
  ])
  await act(client, {
    ...{ method: 'PATCH', path: `/automations/${id}`, body, status: 200 },
    predict: () => rules.patchAutomation(client.model, id, body),
    learn: (_, data) => checkAutomation(client, find(client, id)!, data),
  })
  await settled(client, id)
}

const runAutomation: Body = async (client, choice) => {
  const source = target(client, choice, ({ isAutomation }) => isAutomation)
  let id: string | undefined
  await act(client, {
    ...{ method: 'POST', path: `/automations/${source}/run`, key: keyOf(choice), status: 201 },
    predict: () => rules.runAutomation(client.model, source),
    learn: (make, data) => {
      id = data.id as string
      const clip = make(id)
      learnIdea(clip, data)
      same(masked(data), viewOf(clip), 'the response about the clip')
    },
  })
  await settled(client, id)
}

const promote: Body = async (client, choice) => {
  const id = target(client, choice, generated)
  const enabled = !choice.oneIn(3)
  await act(client, {
    ...{ method: 'POST', path: `/videos/${id}/promote`, body: { enabled }, status: 200 },
    predict: () => rules.promote(client.model, id, enabled),
    learn: (_, data) => {
      const video = find(client, id)!
      same(data.source.isAutomation, video.isAutomation, `whether ${id} is a blueprint`)
      if (video.automation) checkAutomation(client, video, data)
    },
  })
  await settled(client, id)
}

const subscribed = [
  ['video.created', 'video.generation_completed', 'video.generation_failed'],
  ['video.render_completed', 'video.render_failed', 'video.published', 'video.created', 'video.created'],
  ['automation.clip_created', 'video.created'],
]

const createWebhook: Body = async (client, choice) => {
  const place = `/${client.service.workspaceId}/${client.log.length}${choice.oneIn(4) ? '/refuse' : ''}`
  const body = { url: client.arrivals.urlOf(place), events: choice.of(subscribed) }
  await act(client, {
    ...{ method: 'POST', path: '/webhooks', body, status: 201 },
    predict: () => rules.createWebhook(client.model, body),
    learn: (make, data) => {
      make(data.id)
      client.secrets.set(data.id, data.secret)
    },
  })
  await settled(client)
  await checkWebhooks(client)
}

const webhookId = ({ model, other }: Client, choice: Choice): string =>
  choice.oneIn(10) || model.webhooks.length === 0
    ? choice.of(['whk_none', other?.model.webhooks[0]?.id ?? 'whk_none'])
    : choice.of(model.webhooks).id

const changeWebhook: Body = async (client, choice) => {
  const id = webhookId(client, choice)
  const body = choice.of([{ enabled: false }, { enabled: true }, { events: ['video.created'] }])
  const isRemoval = choice.oneIn(4)
  await act(client, {
    ...{
      method: isRemoval ? 'DELETE' : 'PATCH',
      path: `/webhooks/${id}`,
      body: isRemoval ? undefined : body,
      status: 200,
    },
    predict: () => (isRemoval ? rules.removeWebhook(client.model, id) : rules.patchWebhook(client.model, id, body)),
    learn: (expected, data) => {
      if (isRemoval) same(data, expected, `the deletion of ${id}`)
    },
  })
  await settled(client)
  await checkWebhooks(client)
  await checkDeliveries(client)
}

/** Requests that are refused before anything is read. */
const malformed: Body = async (client, choice) => {
  const id = target(client, choice)
  const [method, path, body, code] = choice.of([
    ['POST', '/videos', { title: 'No idea' }, 'invalid-request'],
    ['POST', '/videos', { prompt: 'Tea', aspectRatio: '7:3' }, 'invalid-request'],
    ['PATCH', `/videos/${id}`, {}, 'invalid-request'],
    ['PATCH', `/videos/${id}`, { text: 'Not editable' }, 'invalid-request'],
    ['PATCH', `/videos/${id}/config`, { captionsFontSize: 1_000 }, 'invalid-request'],
    ['PUT', `/videos/${id}/captions`, { captions: [{ startMs: 2, endMs: 1, text: 'x' }] }, 'invalid-request'],
    ['PATCH', `/videos/${id}/scenes/scn_0`, { duration: 4 }, 'invalid-request'],
    ['POST', '/webhooks', { url: 'https://example.com', events: ['video.none'] }, 'warning-invalid-events'],
  ] as const)
  const answer = await send(client, method, path, { body })
  // Where the body is read after the video, one that does not exist is found first.
  if (answer.status !== 404) same([answer.status, answer.body.error.code], [400, code], `${method} ${path}`)
  await settled(client, id)
}

/** The lists in their order. */
const lists: Body = async (client, choice) => {
  const { model } = client
  const idsAt = async (path: string) => {
    const { body } = await send(client, 'GET', path)
    same(body.paging.total, body.data.length, `the total of ${path}`)
    return body.data.map(({ id }: { id: string }) => id)
  }
  const status = choice.of(['', 'draft', 'processing', 'rendering', 'ready', 'failed'])
  const filter = status ? `&status=${status}` : ''
  same(await idsAt(`/videos?limit=100${filter}`), rules.listedIds(model, status), `GET /videos ${status}`)
  same(await idsAt('/automations?limit=100'), rules.automationIds(model), 'GET /automations')
  const source = choice.of(model.videos)
  if (source) same(await idsAt(`/videos/${source.id}/clips?limit=100`), rules.clipIds(model, source.id), 'the clips')
  await checkWebhooks(client)
  await checkDeliveries(client)
  await checkEvents(client)
}

/** The same request with the same key, three times at once: one effect, and one response. */
const twins: Body = async (client, choice) => {
  const body = briefOf(client, choice)
  const key = `twins-${client.log.length}`
  let predicted: ReturnType<typeof rules.createVideo> | undefined
  let refusal: rules.Refused | undefined
  try {
    predicted = rules.createVideo(client.model, body, client.voices.standard!)
  } catch (error) {
    refusal = error as rules.Refused
  }
  const headers = { 'Idempotency-Key': key }
  const answers = await Promise.all([0, 1, 2].map(() => send(client, 'POST', '/videos', { body, headers })))
  const statuses = answers.map(({ status }) => status)
  same(statuses, Array(3).fill(refusal?.status ?? 201), 'the statuses of one request at once')
  const ids = new Set(answers.map((answer) => answer.body.data?.id))
  same(ids.size, 1, 'the videos of one request at once')
  const [id] = ids
  predicted?.(id)
  await settled(client, id)
}

/** Two edits of one revision at once: one applies. */
const rivals: Body = async (client, choice) => {
  const id = target(client, choice)
  const video = find(client, id)
  const tag = video && client.tags.get(id)?.get(video.revision)
  if (!tag) return
  const titles = [`${sentence(choice)} a`, `${sentence(choice)} b`]
  const answers = await Promise.all(
    titles.map((title) => send(client, 'PATCH', `/videos/${id}`, { body: { title }, headers: { 'If-Match': tag } })),
  )
  same(answers.map(({ status }) => status).toSorted(), [200, 412], 'the statuses of two edits of one revision')
  rules.patchVideo(client.model, id, { title: titles[answers.findIndex(({ status }) => status === 200)] })
  await settled(client, id)
}

const weighted = {
  create: [5, (client, choice) => create(client, choice, '/videos')],
  createAutomation: [2, (client, choice) => create(client, choice, '/automations')],
  endJob: [14, endJob],
  patchVideo: [4, patchVideo],
  patchConfig: [2, patchConfig],
  putCaptions: [2, putCaptions],
  putBRolls: [2, putBRolls],
  changeScene: [3, changeScene],
  requestJob: [5, requestJob],
  convert: [1, convert],
  describe: [1, describeVideo],
  createClip: [3, createClip],
  remove: [2, removeVideo],
  publish: [2, publish],
  patchAutomation: [3, patchAutomation],
  runAutomation: [2, runAutomation],
  promote: [2, promote],
  createWebhook: [2, createWebhook],
  changeWebhook: [2, changeWebhook],
  malformed: [1, malformed],
  lists: [2, lists],
  twins: [1, twins],
  rivals: [1, rivals],
} satisfies Record<string, [weight: number, body: Body]>

export type CommandName = keyof typeof weighted
export const commandNames = Object.entries(weighted).flatMap(([name, [weight]]) =>
  Array<CommandName>(weight).fill(name as CommandName),
)

export const perform = (client: Client, { name, numbers }: Command): Promise<void> =>
  (weighted[name][1] as Body)(client, new Choice(numbers))

/** At the end of a sequence: every list and every event; then everything is deleted, and nothing is left of it. */
export async function finish(client: Client): Promise<void> {
  await lists(client, new Choice([0]))
  for (const video of client.model.videos) await checkVideo(client, video, true)
  for (const { id, parentId } of [...client.model.videos]) {
    if (parentId) continue
    const answer = await send(client, 'DELETE', `/videos/${id}`)
    same(answer.body.data, rules.removeVideo(client.model, id), `the deletion of ${id}`)
  }
  await checkAccount(client)
}
