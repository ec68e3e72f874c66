/**
 * The contract as plain data and functions: what one workspace holds, what each action does to it or why it is refused,
 * and what a client sees then. Written from the specification; it imports nothing of the service.
 */

export type PlanName = 'free' | 'starter' | 'pro' | 'self-hosted'
interface PlanLimits {
  credits: number
  generations: number
  seconds: number
  automations: number
  publishing: boolean
}
const unlimited = Number.POSITIVE_INFINITY
export const plans: Record<PlanName, PlanLimits> = {
  free: { credits: 200, generations: 10, seconds: 60, automations: 0, publishing: false },
  starter: { credits: 2_000, generations: 100, seconds: 180, automations: 3, publishing: true },
  pro: { credits: 10_000, generations: 500, seconds: 600, automations: 20, publishing: true },
  'self-hosted': {
    ...{ credits: unlimited, generations: unlimited, seconds: unlimited },
    ...{ automations: unlimited, publishing: true },
  },
}
const webhooksMax = 25
const scenesMax = 50

/** A refusal of the contract. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}
const notFound = () => new Refused(404, 'not-found')
const inProgress = () => new Refused(409, 'job-in-progress')
const notReady = () => new Refused(409, 'warning-source-not-ready')
const wrongInput = () => new Refused(409, 'warning-invalid-input')
const notConfigured = () => new Refused(409, 'warning-publish-not-configured')

type Json = Record<string, unknown>
type JobStatus = 'QUEUED' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
export type Work = 'generate' | 'clip' | 'script'
interface Job {
  status: JobStatus
  progress: number
  hasBegun: boolean
  error: Json | null
}
interface Process extends Job {
  work: Work
  /** Reserved until it ends. */
  credits: number
  isRenderWanted: boolean
}
interface Render extends Job {
  /** The content that it shows; null until it has begun. */
  shows: number | null
  isStale: boolean
}

/** The heavy arrays of a video. */
export interface Timelines {
  captions: Json[]
  captionsPages: Json[]
  bRolls: Json[]
  presentationScenes: Json[]
  scenes: Json[]
}

interface Automation {
  status: 'active' | 'paused'
  schedule: Json
  autoRefill: boolean
}
interface Destination {
  profileId: string | null
  platforms: string[]
}

export interface Video {
  id: string
  /** Its place in the order of creation. */
  number: number
  /** Its place in the order of activity. */
  activity: number
  title: string
  isTitleOwn: boolean
  type: string
  subType: string | null
  isAutomation: boolean
  parentId: string | null
  brief: Json & { prompt: string | null; text: string | null; description: string | null }
  durationSeconds: number | null
  hasAudio: boolean
  hasCaptions: boolean
  hasThumbnail: boolean
  renderBytes: number | null
  /** The content that the render shows. */
  rendered: number
  process: Process
  render: Render | null
  publish: Json | null
  config: Json
  timelines: Timelines
  /** Counts what may change a render. */
  content: number
  /** A render of an older content is not shown. */
  clearedAt: number
  /** Changes with every edit that a client can see; entity tags are equal where it is. */
  revision: string
  edits: number
  bytes: number
  /** Where it was last published, or where its automation publishes. */
  destination: Destination | null
  /** Captions by account that were posted today. */
  posted: string[]
  automation: Automation | null
}

export interface Webhook {
  id: string
  url: string
  events: string[]
  enabled: boolean
  /** In a row. */
  failures: number
  isDisabledByFailures: boolean
}

export interface Delivery {
  webhookId: string
  event: string
  about: string
  status: 'delivered' | 'pending' | 'failed'
}

export interface Event {
  event: string
  /** The id of the video or automation that it is about. */
  about: string
}

export interface Workspace {
  plan: PlanName
  balance: number
  used: number
  generations: number
  videos: Video[]
  webhooks: Webhook[]
  /** All events, oldest first. */
  events: Event[]
  /** To the endpoints that were subscribed when the event occurred; each is attempted once. */
  deliveries: Delivery[]
  /** The profile, and the platforms on which it has an account. */
  profile: { id: string; accounts: { id: string; platform: string }[] }
  clock: number
}

export const newWorkspace = (plan: PlanName, profile: Workspace['profile']): Workspace => ({
  ...{ plan, profile, balance: plans[plan].credits, used: 0, generations: 0 },
  ...{ videos: [], webhooks: [], events: [], deliveries: [], clock: 0 },
})

const isOpen = (job: { status: unknown } | null) => job?.status === 'QUEUED' || job?.status === 'PROCESSING'

export function requireVideo(workspace: Workspace, id: string): Video {
  const video = workspace.videos.find((one) => one.id === id)
  if (!video) throw notFound()
  return video
}

// --- Credits -------------------------------------------------------------------------------------------------------

const secondsOf = (brief: Json): number =>
  (brief.targetDuration as number | null) ?? { subminute: 60, short: 180, medium: 600 }[brief.videoDuration as 'short']

const priceOf = (brief: Json): number =>
  Math.ceil(secondsOf(brief) / 60) * (brief.voiceProvider === 'expressive' ? 16 : 10)

function refuseUnpaid({ plan, balance, generations }: Workspace, credits: number, seconds = 0): void {
  if (balance < credits) throw new Refused(402, 'warning-no-credits')
  if (generations >= plans[plan].generations) throw new Refused(402, 'warning-plan-generations')
  if (seconds > plans[plan].seconds) throw new Refused(402, 'warning-plan-duration')
}

function reserve(workspace: Workspace, credits: number): void {
  workspace.balance -= credits
  workspace.generations++
}

function settle(workspace: Workspace, process: Process, isBought: boolean): void {
  if (isBought) workspace.used += process.credits
  else workspace.balance += process.credits
  process.credits = 0
}

// --- Events and revisions ------------------------------------------------------------------------------------------

function emit(workspace: Workspace, event: string, about: string): void {
  workspace.events.push({ event, about })
  for (const webhook of workspace.webhooks)
    if (webhook.enabled && webhook.events.includes(event)) attempt(workspace, webhook, { event, about })
}

/** Receivers at an address with `refuse` answer 500. */
export function attempt(workspace: Workspace, webhook: Webhook, { event, about }: Event): void {
  const isRefused = webhook.url.includes('refuse')
  const status = isRefused ? 'pending' : 'delivered'
  workspace.deliveries.push({ webhookId: webhook.id, event, about, status })
  webhook.failures = isRefused ? webhook.failures + 1 : 0
  if (webhook.failures < failuresMax) return
  Object.assign(webhook, { enabled: false, isDisabledByFailures: true })
  dropDeliveries(workspace, webhook.id)
}

const failuresMax = 25

export function dropDeliveries({ deliveries }: Workspace, webhookId: string): number {
  const dropped = deliveries.filter((one) => one.webhookId === webhookId && one.status === 'pending')
  for (const one of dropped) one.status = 'failed'
  return dropped.length
}

const touch = (workspace: Workspace, video: Video) => {
  video.activity = ++workspace.clock
}

/** What a client sees of its edits has changed. */
function revise(video: Video): void {
  const { text, scriptPrompt, description, descriptionPrompt } = video.brief
  video.revision = JSON.stringify([video.edits, video.title, text, scriptPrompt, description, descriptionPrompt])
}

/** An edit. One that a render shows makes the render stale; one that clears it removes it. */
function edited(workspace: Workspace, video: Video, effect: 'shown' | 'hidden' | 'clears'): void {
  video.edits++
  if (effect !== 'hidden') video.content++
  if (effect === 'clears') {
    video.renderBytes = null
    video.clearedAt = video.content
  }
  touch(workspace, video)
  revise(video)
}

// --- Videos --------------------------------------------------------------------------------------------------------

const briefDefaults = {
  ...{ prompt: null, text: null, scriptPrompt: null, description: null, descriptionPrompt: null },
  ...{ inputMode: 'auto', videoDuration: 'subminute', language: 'en', aspectRatio: '9:16', imageStyle: 'mixed' },
  ...{ connectedBRolls: false, customStyleText: null, voiceId: '', voiceProvider: 'standard', showSubtitles: true },
  ...{ presentationTone: null, presentationAssets: [], presenter: null, targetDuration: null },
  ...{ characterImageUrl: null, characterDescription: null },
}

const newJob = (): Job => ({ status: 'QUEUED', progress: 0, hasBegun: false, error: null })
const newRender = (): Render => ({ ...newJob(), shows: null, isStale: false })
const queued = (work: Work, credits: number, isRenderWanted: boolean): Process => ({
  ...newJob(),
  ...{ work, credits, isRenderWanted },
})

const noTimelines = (): Timelines => ({
  ...{ captions: [], captionsPages: [], bRolls: [], presentationScenes: [], scenes: [] },
})

function addVideo(workspace: Workspace, fields: Pick<Video, 'id' | 'title' | 'brief' | 'process'> & Partial<Video>) {
  const number = ++workspace.clock
  const video: Video = {
    ...{ number, activity: number, isTitleOwn: false, type: 'faceless', subType: null, isAutomation: false },
    ...{ parentId: null, durationSeconds: null, hasAudio: false, hasCaptions: false, hasThumbnail: false },
    ...{
      renderBytes: null,
      rendered: 0,
      render: null,
      publish: null,
      config: {},
      timelines: noTimelines(),
      content: 1,
    },
    ...{ clearedAt: 0, revision: '', edits: 0, bytes: 0, destination: null, posted: [], automation: null },
    ...fields,
  }
  revise(video)
  workspace.videos.push(video)
  emit(workspace, 'video.created', video.id)
  return video
}

/** `voiceId`: the first standard voice of the deployment. */
export function createVideo(workspace: Workspace, body: Json, voiceId: string) {
  const { type = 'faceless', subType = null, title = null, process = {}, isAutomation = false, ...fields } = body
  const brief = { ...briefDefaults, voiceId, ...fields } as Video['brief']
  if (isAutomation && workspace.videos.filter((one) => one.isAutomation).length >= plans[workspace.plan].automations)
    throw new Refused(402, 'warning-plan-automations')
  const credits = priceOf(brief)
  refuseUnpaid(workspace, credits, secondsOf(brief))
  const isRenderWanted = (process as Json).render === true
  return (id: string): Video => {
    reserve(workspace, credits)
    const automation = isAutomation ? newAutomation() : null
    const name = (title ?? brief.prompt ?? brief.text) as string
    return addVideo(workspace, {
      ...{
        id,
        title: name,
        isTitleOwn: title !== null,
        type: type as string,
        subType: subType as string | null,
        brief,
      },
      ...{ isAutomation: isAutomation === true, automation, process: queued('generate', credits, isRenderWanted) },
    })
  }
}

/** The idea that a variation is made from. Of a text of several sentences, the service takes the first ones. */
const ideaOf = ({ prompt, text }: Video['brief']): string => (prompt?.trim() ? prompt : (text ?? ''))

export function createClip(workspace: Workspace, sourceId: string, isVariation: boolean, isRenderWanted: boolean) {
  const source = requireVideo(workspace, sourceId)
  const { title, isTitleOwn, type, subType, config } = source
  const shared = { title, isTitleOwn, type, subType, config: { ...config }, parentId: sourceId }
  if (!isVariation) {
    if (!isGenerated(source)) throw notReady()
    const { durationSeconds, hasAudio, hasCaptions, hasThumbnail, brief } = source
    const content = { durationSeconds, hasAudio, hasCaptions, hasThumbnail, brief: { ...brief } }
    const timelines = structuredClone(source.timelines)
    return (id: string) =>
      addVideo(workspace, { ...shared, ...content, timelines, id, process: queued('clip', 0, isRenderWanted) })
  }
  if (!ideaOf(source.brief).trim()) throw wrongInput()
  const brief = { ...source.brief, prompt: ideaOf(source.brief), text: null, inputMode: 'idea' }
  const credits = priceOf(brief)
  refuseUnpaid(workspace, credits, secondsOf(brief))
  return (id: string) => {
    reserve(workspace, credits)
    return addVideo(workspace, { ...shared, brief, id, process: queued('generate', credits, isRenderWanted) })
  }
}

const isGenerated = (video: Video) => video.hasAudio

export function patchVideo(workspace: Workspace, id: string, { title, subType, ...fields }: Json): void {
  const video = requireVideo(workspace, id)
  const brief = { ...video.brief, ...fields }
  if (fields.prompt !== undefined && !brief.prompt?.trim() && !brief.text?.trim())
    throw new Refused(400, 'invalid-request')
  video.brief = brief
  if (title !== undefined) Object.assign(video, { title, isTitleOwn: true })
  if (subType !== undefined) video.subType = subType as string | null
  // The others are for the next generation, and for publishing.
  const edit = { title, subType, ...fields }
  const isShown = ['title', 'subType', 'aspectRatio', 'showSubtitles'].some(
    (name) => edit[name as 'title'] !== undefined,
  )
  edited(workspace, video, isShown ? 'shown' : 'hidden')
}

export function patchConfig(workspace: Workspace, id: string, keys: Json | null): void {
  const video = requireVideo(workspace, id)
  video.config = keys === null ? { ...editorDefaults } : { ...video.config, ...keys }
  edited(workspace, video, 'shown')
}

const editorDefaults = {
  ...{ captionsFontFamily: 'TheBoldFont', captionsFontWeight: 'medium', captionsPrimaryColor: '#39E508' },
  ...{ captionsFontSize: 72, captionsVerticalPosition: 70, captionsAnimation: 'fadeInSlideUp' },
  ...{ captionsWordEffects: 'bounceWord', captionsSecondaryColor: '#ffffff', captionsAccentColor: '#0000ff' },
  ...{ captionsTextStroke: 10, captionsStrokeColor: 'black', captionsSecondaryStrokeColor: '#ffffff' },
  ...{ captionsAccentStrokeColor: '#0000ff', layoutMode: 'wrap', captionsTextTransform: 'uppercase' },
}

/** The items that a PUT stores. Null ids are minted by the service: `mint` reads them from its answer. */
export function putTimeline(
  workspace: Workspace,
  id: string,
  name: 'captions' | 'captionsPages' | 'bRolls',
  items: Json[],
  mint: (index: number) => string,
): Json[] {
  const video = requireVideo(workspace, id)
  const stored = new Map(video.timelines[name].map((item) => [item.id, item]))
  const absent: Json = {
    captions: { confidence: 1 },
    captionsPages: { hidden: false },
    bRolls: {
      ...{ text: '', prompt: '', keywords: [], mediaType: 'ai_image', hidden: false, url: null, type: null },
    },
  }
  video.timelines[name] = items.map((item, index) => ({
    ...(absent[name] as Json),
    ...(name === 'captions' ? { punctuated_word: item.text } : item.id ? stored.get(item.id) : {}),
    ...item,
    id: item.id ?? mint(index),
  }))
  if (name === 'captions') video.hasCaptions = items.length > 0
  return video.timelines[name]
}

export const timelinesReplaced = (workspace: Workspace, id: string) =>
  edited(workspace, requireVideo(workspace, id), 'shown')

/** Adds, edits or removes a scene; `id` is that of a new one. */
export function changeScenes(
  workspace: Workspace,
  videoId: string,
  change: { add: string | null } | { edit: string; fields: Json } | { remove: string },
) {
  const video = requireVideo(workspace, videoId)
  if (video.type !== 'ai') throw new Refused(409, 'wrong-video-type')
  const { scenes } = video.timelines
  const named = 'add' in change ? change.add : 'edit' in change ? change.edit : change.remove
  const index = named === null ? scenes.length - 1 : scenes.findIndex((scene) => scene.id === named)
  if (named !== null && index < 0) throw notFound()
  if ('add' in change && scenes.length >= scenesMax) throw new Refused(409, 'limit-reached')
  if (isOpen(video.process)) throw inProgress()
  return (id: string): Json => {
    const blank = { imagePrompt: '', animationPrompt: '', narration: '', duration: 6, status: 'draft' }
    const added = {
      id,
      ...blank,
      voiceDescription: scenes[index]?.voiceDescription ?? '',
      imageUrl: null,
      videoUrl: null,
    }
    if ('add' in change) scenes.splice(index + 1, 0, added)
    else if ('edit' in change) scenes[index] = { ...scenes[index], ...change.fields, videoUrl: null }
    else scenes.splice(index, 1)
    edited(workspace, video, 'clears')
    return 'add' in change ? added : (scenes[index] ?? {})
  }
}

export function removeVideo(workspace: Workspace, id: string, onlyAutomations = false) {
  const video = requireVideo(workspace, id)
  if (onlyAutomations && !video.isAutomation) throw notFound()
  const subtree = [video]
  for (const one of subtree) subtree.push(...workspace.videos.filter(({ parentId }) => parentId === one.id))
  for (const { process } of subtree) if (isOpen(process)) settle(workspace, process, false)
  workspace.videos = workspace.videos.filter((one) => !subtree.includes(one))
  const deletedBytes = subtree.reduce((sum, { bytes }) => sum + bytes, 0)
  return { ok: true, deletedClips: subtree.length - 1, deletedBytes }
}

// --- Jobs ----------------------------------------------------------------------------------------------------------

const refuseOpen = ({ process, render }: Video) => {
  if (isOpen(process) || isOpen(render)) throw inProgress()
}

export function requestProcess(workspace: Workspace, id: string, isRenderWanted: boolean): void {
  const video = requireVideo(workspace, id)
  refuseOpen(video)
  const credits = priceOf(video.brief)
  refuseUnpaid(workspace, credits, secondsOf(video.brief))
  reserve(workspace, credits)
  video.process = queued('generate', credits, isRenderWanted)
  touch(workspace, video)
}

export function requestScript(workspace: Workspace, id: string, prompt: string | undefined): void {
  const video = requireVideo(workspace, id)
  refuseOpen(video)
  refuseUnpaid(workspace, 10)
  reserve(workspace, 10)
  if (prompt !== undefined) video.brief = { ...video.brief, scriptPrompt: prompt }
  video.process = queued('script', 10, false)
  touch(workspace, video)
  revise(video)
}

export function requestRender(workspace: Workspace, id: string): void {
  const video = requireVideo(workspace, id)
  if (isOpen(video.render)) throw inProgress()
  if (!isGenerated(video)) throw notReady()
  if (isOpen(video.process)) throw inProgress()
  video.render = newRender()
  touch(workspace, video)
}

/** The description is of the service's own making. */
export function describe(workspace: Workspace, id: string, prompt: string | undefined) {
  const video = requireVideo(workspace, id)
  if (workspace.balance < 10) throw new Refused(402, 'warning-no-credits')
  return (description: string) => {
    workspace.balance -= 10
    workspace.used += 10
    video.brief = { ...video.brief, description, descriptionPrompt: prompt ?? video.brief.descriptionPrompt ?? null }
    touch(workspace, video)
    revise(video)
  }
}

export function convert(workspace: Workspace, id: string): void {
  const video = requireVideo(workspace, id)
  if (video.type !== 'ai') throw new Refused(422, 'already-converted')
}

export function begin(workspace: Workspace, video: Video, kind: 'process' | 'render'): void {
  Object.assign(video[kind]!, { status: 'PROCESSING', hasBegun: true, progress: kind === 'process' ? 1 : 0 })
  if (kind === 'render') video.render!.shows = video.content
  touch(workspace, video)
}

export function fail(workspace: Workspace, video: Video, kind: 'process' | 'render', error: Json): void {
  Object.assign(video[kind]!, { status: 'FAILED', error })
  if (kind === 'process') settle(workspace, video.process, false)
  touch(workspace, video)
  emit(workspace, kind === 'process' ? 'video.generation_failed' : 'video.render_failed', video.id)
}

/** What a generation made. */
export interface Generated {
  title: string
  durationSeconds: number
  timelines: Partial<Timelines>
}

export function completeProcess(workspace: Workspace, video: Video, result: Partial<Generated>): void {
  const { process } = video
  Object.assign(process, { status: 'COMPLETED', progress: 100 })
  settle(workspace, process, true)
  if (!video.isTitleOwn) video.title = result.title ?? video.title
  Object.assign(video, {
    ...{ durationSeconds: result.durationSeconds ?? video.durationSeconds, hasAudio: true },
    timelines: { ...video.timelines, ...result.timelines },
  })
  video.hasCaptions = video.timelines.captions.length > 0
  edited(workspace, video, result.timelines?.scenes ? 'clears' : 'shown')
  if (process.isRenderWanted) video.render = newRender()
  emit(workspace, 'video.generation_completed', video.id)
}

export function completeScript(workspace: Workspace, video: Video, { title, text }: { title: string; text: string }) {
  Object.assign(video.process, { status: 'COMPLETED', progress: 100 })
  settle(workspace, video.process, true)
  if (!video.isTitleOwn) video.title = title
  video.brief = { ...video.brief, text, inputMode: video.brief.inputMode === 'idea' ? 'auto' : video.brief.inputMode }
  touch(workspace, video)
  revise(video)
}

export function completeRender(workspace: Workspace, video: Video, bytes: number): void {
  const render = video.render!
  Object.assign(render, { status: 'COMPLETED', progress: 100, isStale: render.shows !== video.content })
  if (render.shows! >= video.clearedAt)
    Object.assign(video, { renderBytes: bytes, rendered: render.shows, hasThumbnail: true })
  touch(workspace, video)
  emit(workspace, 'video.render_completed', video.id)
}

// --- Publishing ----------------------------------------------------------------------------------------------------

export interface PublishRequest {
  profileId?: string
  platforms?: string[]
  caption?: string
}

/** Of the healthy accounts that it reaches. */
export function publish(workspace: Workspace, id: string, request: PublishRequest) {
  const video = requireVideo(workspace, id)
  if (!plans[workspace.plan].publishing) throw new Refused(402, 'warning-plan-publish')
  if (video.renderBytes === null) throw notConfigured()
  refuseOpen(video)
  const own = destinationOf(workspace, video)
  const platforms = [...new Set(request.platforms ?? own?.platforms ?? [])]
  if (platforms.length === 0) throw notConfigured()
  const profileId = request.profileId ?? own?.profileId ?? workspace.profile.id
  if (profileId !== workspace.profile.id) throw notFound()
  const accounts = workspace.profile.accounts.filter(({ platform }) => platforms.includes(platform))
  if (accounts.length === 0) throw new Refused(409, 'warning-publish-no-accounts')
  const caption = request.caption ?? video.brief.description ?? ''
  const posts = accounts.map((account) => `${account.id} ${caption}`)
  if (posts.some((post) => video.posted.includes(post))) throw new Refused(409, 'warning-publish-duplicate')
  return (): void => {
    video.posted.push(...posts)
    if (!video.isAutomation && !video.parentId) video.destination = { profileId, platforms }
    const reached = accounts.map(({ platform }) => platform)
    video.publish = {
      ...{ status: 'COMPLETED', scheduledAt: null, startedAt: 'T', publishedAt: 'T', failedAt: null, caption },
      ...{ platforms: reached, unhealthyPlatforms: [], error: null },
      missingPlatforms: platforms.filter((platform) => !reached.includes(platform)),
      results: accounts.map(({ id: accountId, platform }) => ({
        ...{ accountId, platform, status: 'COMPLETED', url: 'U', error: null },
      })),
    }
    touch(workspace, video)
    emit(workspace, 'video.published', id)
  }
}

function destinationOf(workspace: Workspace, { destination, parentId }: Video): Destination | null {
  if (destination || !parentId) return destination
  return destinationOf(workspace, requireVideo(workspace, parentId))
}

// --- Automations ---------------------------------------------------------------------------------------------------

const newAutomation = (): Automation => ({
  ...{ status: 'active', autoRefill: true },
  schedule: { frequency: 'daily', timezone: 'UTC', times: [{ time: '09:00', mode: 'fixed' }], days: [] },
})

export function requireAutomation(workspace: Workspace, id: string): Video & { automation: Automation } {
  const video = workspace.videos.find((one) => one.id === id && one.isAutomation)
  if (!video?.automation) throw notFound()
  return video as Video & { automation: Automation }
}

export function blockersOf(workspace: Workspace, video: Video): string[] {
  const { profileId, platforms } = video.destination ?? { profileId: null, platforms: [] }
  const accounts = workspace.profile.accounts.filter((one) => profileId && platforms.includes(one.platform))
  const { plan, balance, generations } = workspace
  const brief = { ...video.brief, text: null }
  const cannotPay =
    balance < priceOf(brief) || generations >= plans[plan].generations || secondsOf(brief) > plans[plan].seconds
  return [
    ...(plans[plan].publishing ? [] : ['plan-publish']),
    ...(profileId ? [] : ['no-profile']),
    ...(platforms.length > 0 ? [] : ['no-platforms']),
    ...(profileId && platforms.length > 0 && accounts.length === 0 ? ['no-accounts'] : []),
    ...(video.process.status === 'COMPLETED' && ideaOf(video.brief).trim() ? [] : ['source-not-ready']),
    ...(cannotPay ? ['no-credits'] : []),
  ]
}

export function patchAutomation(
  workspace: Workspace,
  id: string,
  { profileId, platforms, ...edit }: Partial<Automation & Destination>,
): void {
  const video = requireAutomation(workspace, id)
  if (profileId && profileId !== workspace.profile.id) throw notFound()
  const destination = {
    profileId: profileId === undefined ? (video.destination?.profileId ?? null) : profileId,
    platforms: platforms ?? video.destination?.platforms ?? [],
  }
  if (edit.status === 'active' && blockersOf(workspace, { ...video, destination }).length > 0) throw notConfigured()
  Object.assign(video, { destination, automation: { ...video.automation, ...edit } })
  touch(workspace, video)
}

export function runAutomation(workspace: Workspace, id: string) {
  const video = requireAutomation(workspace, id)
  if (blockersOf(workspace, video).length > 0) throw notConfigured()
  const make = createClip(workspace, id, true, true)
  return (clipId: string): Video => {
    const clip = make(clipId)
    touch(workspace, video)
    emit(workspace, 'automation.clip_created', id)
    return clip
  }
}

export function promote(workspace: Workspace, id: string, enabled: boolean): void {
  const video = requireVideo(workspace, id)
  if (video.parentId) throw wrongInput()
  if (enabled === video.isAutomation) return
  if (!enabled) {
    video.isAutomation = false
    video.automation!.status = 'paused'
    touch(workspace, video)
    return
  }
  if (video.process.status !== 'COMPLETED') throw notReady()
  if (workspace.videos.filter((one) => one.isAutomation).length >= plans[workspace.plan].automations)
    throw new Refused(402, 'warning-plan-automations')
  video.isAutomation = true
  video.automation = { ...(video.automation ?? newAutomation()), status: 'active' }
  touch(workspace, video)
}

// --- Webhooks ------------------------------------------------------------------------------------------------------

export function createWebhook(workspace: Workspace, { url, events }: { url: string; events: string[] }) {
  if (workspace.webhooks.length >= webhooksMax) throw new Refused(409, 'limit-reached')
  return (id: string): Webhook => {
    const webhook = { id, url, events: [...new Set(events)], enabled: true, failures: 0, isDisabledByFailures: false }
    workspace.webhooks.push(webhook)
    return webhook
  }
}

export function requireWebhook(workspace: Workspace, id: string): Webhook {
  const webhook = workspace.webhooks.find((one) => one.id === id)
  if (!webhook) throw notFound()
  return webhook
}

export function patchWebhook(workspace: Workspace, id: string, edit: Partial<Pick<Webhook, 'events' | 'enabled'>>) {
  const webhook = requireWebhook(workspace, id)
  if (edit.enabled === true && !webhook.enabled) Object.assign(webhook, { failures: 0, isDisabledByFailures: false })
  if (edit.enabled === false) dropDeliveries(workspace, id)
  Object.assign(webhook, edit)
}

export function removeWebhook(workspace: Workspace, id: string) {
  requireWebhook(workspace, id)
  workspace.webhooks = workspace.webhooks.filter((one) => one.id !== id)
  return { ok: true, droppedDeliveries: dropDeliveries(workspace, id) }
}

export const webhookView = ({ id, url, events, enabled, failures, isDisabledByFailures }: Webhook): Json => ({
  ...{ id, url, events, enabled, failureCount: failures, hasReason: isDisabledByFailures },
})

// --- What a client sees --------------------------------------------------------------------------------------------

export function statusOf({ process, render, renderBytes }: Video): string {
  if (process.status === 'FAILED' || render?.status === 'FAILED') return 'failed'
  if (isOpen(render)) return 'rendering'
  if (isOpen(process)) return 'processing'
  return renderBytes === null ? 'draft' : 'ready'
}

const textOf = { QUEUED: 'Waiting to start', PROCESSING: 'Starting', COMPLETED: null, FAILED: null }
const jobView = ({ status, progress, hasBegun, error }: Job) => ({
  ...{ status, progress, error, queuedAt: 'T', startedAt: hasBegun ? 'T' : null },
})
const address = (exists: boolean) => (exists ? 'U' : null)

/** As `masked` shows a video: times are `T`, addresses `U`. */
export function viewOf(video: Video): Json {
  const { id, title, type, subType, isAutomation, parentId, durationSeconds, renderBytes, process, render } = video
  return {
    ...{ id, title, type, subType, isAutomation, parentVideoId: parentId, isClip: parentId !== null },
    ...{ mood: null, presentationMood: null, durationSeconds, status: statusOf(video) },
    media: {
      ...{ sourceUrl: null, audioUrl: address(video.hasAudio), captionsUrl: address(video.hasCaptions) },
      ...{ thumbnailUrl: address(video.hasThumbnail), renderUrl: address(renderBytes !== null), bytes: renderBytes },
    },
    process: { ...jobView(process), statusText: textOf[process.status], quality: null },
    render: render && { ...jobView(render), ...(isStale(video) ? { stale: true } : {}) },
    ...{ publish: video.publish, createdAt: 'T', updatedAt: 'T', brief: video.brief, config: video.config },
  }
}

/** Whether what is shown would be rendered differently now. */
const isStale = ({ render, content, renderBytes, rendered }: Video): boolean =>
  (renderBytes !== null && rendered !== content) || (render?.status === 'COMPLETED' && render.isStale)

/** As `GET /` shows it. */
export function accountOf({ plan, balance, used, generations, videos, webhooks }: Workspace): Json {
  const isMetered = plans[plan].credits !== unlimited
  return {
    ...{ balance: isMetered ? balance : null, used, generations, webhooks: webhooks.length },
    automations: videos.filter(({ isAutomation }) => isAutomation).length,
    bytes: videos.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** The ids of a list, newest activity first. */
export const listedIds = ({ videos }: Workspace, status?: string): string[] =>
  videos
    .filter((video) => !video.isAutomation && !video.parentId && (!status || statusOf(video) === status))
    .toSorted((a, b) => b.activity - a.activity)
    .map(({ id }) => id)

export const clipIds = (workspace: Workspace, id: string): string[] => {
  requireVideo(workspace, id)
  const clips = workspace.videos.filter(({ parentId }) => parentId === id)
  return clips.toSorted((a, b) => b.number - a.number).map((clip) => clip.id)
}

export const automationIds = ({ videos }: Workspace): string[] =>
  videos
    .filter(({ isAutomation }) => isAutomation)
    .toSorted((a, b) => b.number - a.number)
    .map(({ id }) => id)
