/**
 * A workspace on the free plan that uses everything which could slow its neighbours, at once: floods of reads and
 * writes, clips that render, waiting downloads, captions and bodies at their limits, upload declarations, look-ups of an
 * account, resends, and endpoints that fail. It does not wait for responses, and ignores `Retry-After`. A process of
 * `hostility.ts`: in the client that measures, its work would count as latency of the service.
 */
import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { connectSandboxAccount } from '../../local/connect-sandbox-account.ts'
import { type SeededWorkspace, seedVideos } from '../seed-videos.ts'
import { callService, generateVideo } from './service-client.ts'
import { poissonArrivals } from './statistics.ts'
import { type Call, send, videoOf, waitUntil } from './traffic.ts'

interface Targets {
  library: SeededWorkspace
  /** A video whose clips are free. */
  source: string
  /** An ai video without a render. */
  unstitched: string
  profileId: string
  deliveryId: string
}

/** By name: how many requests a second, and which. */
type Tricks = Record<string, { perSecond: number; call: (targets: Targets, turn: number) => Call }>

const captionWords = 6_000
const bigCaptions = JSON.stringify({
  captions: Array.from({ length: captionWords }, (_, index) => ({
    startMs: index,
    endMs: index + 1,
    text: 'ก็่'.repeat(11),
  })),
})
const bigBody = JSON.stringify([{ startMs: 0, endMs: 1, ['x'.repeat(3_900_000)]: 1 }])

const tricks: Tricks = {
  'read lists': { perSecond: 60, call: (_, turn) => ['GET', `/videos?limit=100&search=${turn}`] },
  'change a video': {
    perSecond: 20,
    call: ({ library }, turn) => ['PATCH', `/videos/${videoOf(library, turn)}`, { title: `Flood ${turn}` }],
  },
  'render free clips': { perSecond: 4, call: ({ source }) => ['POST', `/videos/${source}/clips`, { render: true }] },
  'wait for downloads': { perSecond: 10, call: ({ unstitched }) => ['GET', `/videos/${unstitched}/download`] },
  'captions at their limit': { perSecond: 1, call: ({ source }) => ['PUT', `/videos/${source}/captions`, bigCaptions] },
  'bodies of 3.9 MB': { perSecond: 1, call: ({ source }) => ['PUT', `/videos/${source}/brolls`, bigBody] },
  'declare uploads': {
    perSecond: 5,
    call: () => ['POST', '/uploads', { fileName: 'big.mp4', contentType: 'video/mp4', bytes: 2 ** 30 }],
  },
  'look up accounts': { perSecond: 5, call: ({ profileId }) => ['GET', `/profiles/${profileId}?refresh=true`] },
  'resend a delivery': {
    perSecond: 5,
    call: ({ deliveryId }) => ['POST', `/webhooks/deliveries/${deliveryId}/resend`],
  },
}

export interface HostileFigures {
  requests: number
  /** Number of responses by status; 0: none within 30 s, in which a request may still wait for the share of its workspace. */
  statuses: Record<string, number>
  /** Requests that failing endpoints received. */
  attemptsAtFailingHosts: number
}

export type HostileMessage = 'prepared' | HostileFigures
/** `baseUrl` of the service first, then how long to attack. */
export type HostileCommand = { prepare: string } | { attackSeconds: number }

const failingHosts = process.platform === 'linux' ? 25 : 1

// The machine of an attacker is another one: on this one it leaves the CPU to the service.
setPriority(constants.priority.PRIORITY_LOW)
let attackFor: ((seconds: number) => Promise<HostileFigures>) | undefined
process.on('message', async (command: HostileCommand) => {
  const report = (message: HostileMessage) => process.send!(message)
  if ('attackSeconds' in command) return report(await attackFor!(command.attackSeconds))
  attackFor = await prepare(command.prepare)
  report('prepared')
})
process.on('disconnect', () => process.exit(0))

/** Prepares everything that the tricks need. The receivers listen in this process. */
async function prepare(baseUrl: string): Promise<(seconds: number) => Promise<HostileFigures>> {
  const library = await seedVideos(40, 'free')
  const { workspaceId, apiKey } = library
  const client = { baseUrl, apiKey }
  const { id: profileId } = await addProfile(workspaceId, { name: 'Hostile' })
  await connectSandboxAccount(workspaceId, profileId, 'tiktok')

  let attemptsAtFailingHosts = 0
  for (let index = 1; index <= failingHosts; index++) {
    const server = createServer((_request, response) => {
      attemptsAtFailingHosts++
      response.writeHead(500).end()
    })
    server.listen(0, `127.0.0.${index}`)
    await once(server, 'listening')
    const url = `http://127.0.0.${index}:${(server.address() as AddressInfo).port}/`
    await callService(client, 'POST', '/webhooks', { url, events: ['video.created'] })
  }
  const text = 'One small habit makes mornings calm.'
  const source = await generateVideo(client, { text, imageStyle: 'ai_image' })
  const unstitched = await generateVideo(client, { text, type: 'ai', imageStyle: 'ai_image' })
  const deliveries = await callService<{ id: string }[]>(client, 'GET', '/webhooks/deliveries?limit=1')
  const targets: Targets = { library, source, unstitched, profileId, deliveryId: deliveries[0]!.id }

  return async (seconds) => ({ ...(await attack(client, targets, seconds)), attemptsAtFailingHosts })
}

async function attack(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  targets: Targets,
  seconds: number,
): Promise<Omit<HostileFigures, 'attemptsAtFailingHosts'>> {
  const agent = new Agent({ keepAlive: true })
  const statuses: Record<string, number> = {}
  const from = performance.now()
  const sendOne = async (call: Call) => {
    const { status } = await send(agent, baseUrl, apiKey, call)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const sent = Object.values(tricks).map(async ({ perSecond, call }) => {
    const requests: Promise<void>[] = []
    for (const [turn, after] of poissonArrivals(seconds * perSecond, perSecond).entries()) {
      if (after > seconds * 1000) break
      await waitUntil(from + after)
      requests.push(sendOne(call(targets, turn)))
    }
    await Promise.all(requests)
  })
  await Promise.all(sent)
  agent.destroy()
  return { requests: Object.values(statuses).reduce((sum, one) => sum + one, 0), statuses }
}
