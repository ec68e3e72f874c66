/**
 * `npm run docs:console`: writes docs/guides/pictures/console, the pictures of the console guide, from a headless
 * Chromium at a local run with a data directory of its own. Takes about four minutes.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Client,
  type CreateVideoRequest,
  createClient,
  type EditAutomationRequest,
} from '../../packages/client/index.js'
import { chromiumPath, launchChromium } from '../../test/studio/preview-browser.ts'
import { ensureLocalService } from '../local-service/service.ts'

const folder = new URL('../../docs/guides/pictures/console/', import.meta.url)
const size = { width: 1280, height: 800 }
const zone = 'Europe/Berlin'

const briefs: CreateVideoRequest[] = [
  { prompt: 'Why is the sky blue?' },
  { prompt: 'Three small habits that make mornings calm', type: 'faceless', subType: 'presentation' },
  { prompt: 'Why the sea is salty', type: 'ai' },
  { text: 'Coffee cools fast. A lid keeps it hot.', aspectRatio: '16:9' },
  { text: 'Bees dance to show where flowers are. The angle is the direction.', aspectRatio: '1:1' },
]
const everyDay = (frequency: 'daily' | 'twice-daily', ...times: string[]) => ({
  ...{ frequency, timezone: zone },
  times: times.map((time) => ({ time })),
})
const automations: [text: string, schedule: NonNullable<EditAutomationRequest['schedule']>][] = [
  ['A calm thought for the morning.', everyDay('daily', '07:15')],
  ['A fact about the sea.', everyDay('twice-daily', '12:00', '18:30')],
  ['A recipe for the weekend.', { frequency: 'weekly', timezone: zone, days: [{ day: 'saturday', time: '10:00' }] }],
]

if (!chromiumPath) {
  console.error('No Chromium on PATH: apt-get install chromium')
  process.exit(1)
}
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'reelsmith-pictures-'))
process.env.MAKERS = 'built-in'
const service = await ensureLocalService()
const browser = await launchChromium()
try {
  const { baseUrl, apiKey, consoleUrl } = service.runtime
  const client = createClient({ baseUrl, apiKey })
  const first = await createVideos(client)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const page = await browser.newPage({ viewport: size, timezoneId: zone, locale: 'en', colorScheme: 'light' })
  /** The tab keeps the key that the first address signs it in with. */
  const save = async (name: string, address: string, shown: string) => {
    await page.goto(new URL(address, consoleUrl).href)
    await page.locator(shown).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: fileURLToPath(new URL(`${name}.jpg`, folder)), type: 'jpeg', quality: 80 })
  }
  await save('videos', consoleUrl, '.card img')
  await save('video', `/videos/${first}`, 'video')
  await save('editor', `/videos/${first}/edit`, 'canvas[data-revision]')
  // Active automations make clips: they are created last.
  await createAutomations(client)
  await save('calendar', '/automations?view=calendar', '[data-at]')
} finally {
  await browser.close()
  await service.release()
  await rm(process.env.DATA_DIR, { recursive: true, force: true })
}

/** Returns the id of the first. */
async function createVideos({ videos, waitFor }: Client): Promise<string> {
  const ids: string[] = []
  for (const brief of briefs) {
    const { id } = await videos.create({ ...brief, process: { render: true } })
    await waitFor(id)
    ids.push(id)
  }
  return ids[0]!
}

async function createAutomations({ automations: api, profiles, waitFor }: Client): Promise<void> {
  const { data } = await profiles.list()
  for (const [text, schedule] of automations) {
    const { id } = await api.create({ text, title: text })
    await waitFor(id, { until: ({ process }) => process?.status === 'COMPLETED' })
    await api.edit(id, { schedule, profileId: data[0]!.id, platforms: ['tiktok', 'youtube'], status: 'active' })
  }
}
