/** Records of a workspace that exists in the browser only: answers for every page of the console. */
import type {
  Account,
  ApiKey,
  Automation,
  AutomationHealth,
  Delivery,
  LedgerEntry,
  Profile,
  Video,
  Voice,
  Webhook,
} from '../../../packages/client/index.js'

const at = '2026-11-20T09:00:00.000Z'

export const account: Account = {
  workspace: { id: 'wsp_1', name: 'Workspace', organizationId: null },
  plan: { id: 'pro', name: 'Pro', renewsAt: '2026-12-01T00:00:00.000Z' },
  credits: { balance: 7_200, granted: 10_000, used: 2_800, avatar: { balance: 40 } },
  limits: {
    generations: { used: 120, limit: 500, resetsAt: '2026-12-01T00:00:00.000Z' },
    storage: { usedBytes: 4e9, limitBytes: 1e11 },
    automations: { used: 1, limit: 20 },
    maxDurationSeconds: 600,
    maxRenderSeconds: 1_800,
    publishing: true,
    webhooks: { used: 1, limit: 25 },
    apiKeys: { used: 2, limit: 25 },
  },
}

export const video = (index = 1, fields: Partial<Video> = {}): Video => ({
  id: `vid_${index}`,
  title: `Video ${index}`,
  type: 'faceless',
  subType: null,
  status: 'ready',
  isAutomation: false,
  parentVideoId: null,
  isClip: false,
  mood: null,
  presentationMood: null,
  durationSeconds: 42,
  media: { sourceUrl: null, audioUrl: null, captionsUrl: null, thumbnailUrl: null, renderUrl: null, bytes: 1_000_000 },
  process: {
    status: 'COMPLETED',
    progress: 100,
    statusText: null,
    queuedAt: at,
    startedAt: at,
    error: null,
    quality: null,
  },
  render: {
    status: 'FAILED',
    progress: 40,
    queuedAt: at,
    startedAt: at,
    error: { code: 'render-failed', message: 'A picture could not be read.', blocked: false, action: null },
  },
  publish: {
    status: 'FAILED',
    scheduledAt: null,
    startedAt: at,
    publishedAt: null,
    failedAt: at,
    platforms: ['tiktok'],
    missingPlatforms: ['reddit'],
    unhealthyPlatforms: ['tiktok'],
    caption: 'A caption',
    results: [
      {
        accountId: 'acc_1',
        platform: 'tiktok',
        status: 'FAILED',
        url: null,
        error: { code: 'warning-publish-auth', message: 'Reconnect TikTok.', blocked: true, action: 'connect' },
      },
    ],
    error: null,
  },
  createdAt: at,
  updatedAt: at,
  brief: {
    prompt: 'An idea',
    text: null,
    scriptPrompt: null,
    description: null,
    descriptionPrompt: null,
    inputMode: 'idea',
    videoDuration: 'subminute',
    language: 'en',
    aspectRatio: '9:16',
    imageStyle: 'mixed',
    connectedBRolls: false,
    customStyleText: null,
    voiceId: 'en-clara',
    voiceProvider: 'standard',
    showSubtitles: true,
    presentationTone: null,
    presentationAssets: [],
    presenter: null,
    targetDuration: null,
    characterImageUrl: null,
    characterDescription: null,
  },
  config: {} as Video['config'],
  script: {
    text: 'What is spoken.',
    writtenBy: 'knowledge',
    grounded: true,
    sources: [{ title: 'A page', url: 'https://example.org/', licence: null }],
  },
  ...fields,
})

export const automation: Automation = {
  id: 'vid_9',
  title: 'Morning thoughts',
  status: 'active',
  statusUpdatedAt: at,
  schedule: {
    frequency: 'twice-daily',
    timezone: 'America/New_York',
    times: [
      { time: '01:30', mode: 'fixed' },
      { time: '02:30', mode: 'fixed' },
    ],
    days: [],
  },
  publishing: { profileId: 'prf_1', platforms: ['tiktok'] },
  autoRefill: true,
  lastRunAt: at,
  stopped: null,
  health: { ready: false, blockers: [{ id: 'no-accounts', label: 'No account is connected.' }], nextScheduledAt: at },
  createdAt: at,
  updatedAt: at,
  source: video(9),
}

export const health: AutomationHealth = {
  ...automation.health,
  upcoming: ['2026-12-01T06:30:00.000Z'],
  recent: [{ scheduledAt: at, outcome: 'published', clipId: 'vid_1' }],
}

const profile: Profile = {
  id: 'prf_1',
  name: 'Brand',
  description: 'Our brand',
  color: '#336699',
  isDefault: true,
  createdAt: at,
  accounts: (['connected', 'expiring', 'expired'] as const).map((health, index) => ({
    id: `acc_${index}`,
    platform: (['tiktok', 'youtube', 'bluesky'] as const)[index]!,
    username: 'brand',
    displayName: 'Brand',
    pictureUrl: 'https://pictures.example/face.png',
    health,
  })),
}

const webhook: Webhook = {
  id: 'whk_1',
  url: 'https://hooks.example/reelsmith',
  events: ['video.created', 'video.render_completed'],
  enabled: true,
  createdAt: at,
  updatedAt: at,
  lastDeliveryAt: at,
  failureCount: 2,
  disabledReason: null,
}

const delivery = {
  id: 'dlv_1',
  webhookId: 'whk_1',
  event: 'video.created',
  url: webhook.url,
  status: 'failed',
  attempts: 6,
  responseStatus: 500,
  lastError: 'The endpoint responded with 500.',
  nextAttemptAt: null,
  createdAt: at,
  deliveredAt: null,
  payload: { event: 'video.created', workspaceId: 'wsp_1', createdAt: at, sequence: 7, data: {} },
} as unknown as Delivery

const voices: Voice[] = [
  { id: 'en-clara', name: 'Clara', provider: 'standard', language: 'en', gender: 'female', previewUrl: null },
  { id: 'de-anna', name: 'Anna', provider: 'expressive', language: 'de', gender: 'female', previewUrl: null },
]

const keys: ApiKey[] = (['admin', 'standard'] as const).map((scope, index) => ({
  id: `key_${index}`,
  name: `Key ${index}`,
  scope,
  prefix: 'rs_live_',
  lastFour: 'abcd',
  isCurrent: index === 0,
  createdAt: at,
  lastUsedAt: index === 0 ? at : null,
  revokedAt: null,
}))

const ledger: LedgerEntry[] = [
  { kind: 'capture', runId: 'run_2', credits: 10, unit: 'video', metered: true, at },
  { kind: 'reserve', runId: 'run_2', credits: 10, unit: 'video', metered: true, at },
  { kind: 'release', runId: 'run_1', credits: 3, unit: 'avatar', metered: false, at },
  { kind: 'grant', runId: null, credits: 10_000, unit: 'video', metered: true, at },
]

const listOf = (data: unknown[], total = data.length) => ({ data, paging: { limit: 100, offset: 0, total } })

/** The answer for a path of the API; `total`: how many videos there are. */
export function answerOf(method: string, path: string, url: URL, total = 8): { status?: number; body: unknown } {
  const [offset, limit] = [Number(url.searchParams.get('offset') ?? 0), Number(url.searchParams.get('limit') ?? 50)]
  const videos = () =>
    Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, index) => video(offset + index + 1))
  const quote = {
    id: 'quo_1',
    action: 'createVideo',
    credits: 10,
    unit: 'video',
    seconds: 60,
    vendorUsd: null,
    expiresAt: at,
  }
  const answers: Record<string, () => unknown> = {
    'GET ': () => ({ data: account }),
    'GET /videos': () => ({ data: videos(), paging: { limit, offset, total } }),
    'GET /videos/vid_1': () => ({ data: video() }),
    'GET /videos/vid_1/clips': () => listOf([video(2, { isClip: true })]),
    'GET /automations': () => listOf([automation]),
    'GET /automations/vid_9': () => ({ data: automation }),
    'GET /automations/vid_9/health': () => ({ data: health }),
    'GET /profiles': () => listOf([profile]),
    'GET /webhooks': () => listOf([webhook]),
    'GET /webhooks/whk_1': () => ({ data: webhook }),
    'GET /webhooks/deliveries': () => listOf([delivery]),
    'GET /keys': () => listOf(keys),
    'GET /ledger': () => listOf(url.searchParams.get('month') === '2026-11' ? ledger : []),
    'GET /voices': () => ({ data: voices }),
    'POST /quotes': () => ({ data: quote }),
  }
  const answer = answers[`${method} ${path.replace(/\/$/, '')}`]
  if (answer) return { body: answer() }
  return {
    status: 404,
    body: { error: { status: 404, code: 'not-found', message: 'No such record.', requestId: 'r' } },
  }
}
