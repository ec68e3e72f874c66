/** One client at work in one workspace, and what it remembers. */
import type { Route } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import type { Answer, Client, RequestInput } from './client.ts'
import type { Workspace } from './service/setup.ts'
import type { Random } from './world/random.ts'
import type { World } from './world/world.ts'

/** What a client remembers of the answers that it got. */
export interface Known {
  videos?: string[]
  automations?: string[]
  webhooks?: { id: string; secret: string }[]
  keys?: { id: string; key: string }[]
}

export interface WorkloadContext {
  world: World
  client: Client
  workspaces: readonly Workspace[]
  known: readonly Known[]
}

export type VideoBody = {
  id: string
  process: { status: string } | null
  media: { renderUrl: string | null }
  render: { status: string } | null
  publish: { status: string; caption: string } | null
  captions?: unknown[]
  captionsPages?: unknown[]
  bRolls?: { id: string }[]
  presentationScenes?: unknown[]
  scenes?: { id: string }[]
}

const timelines = 'captions,captionsPages,bRolls,presentationScenes,scenes'

export class Session {
  readonly world: World
  readonly workspace: Workspace
  readonly known: Known
  readonly random: Random
  readonly theme: string
  readonly #client: Client
  readonly #everything: readonly Known[]

  constructor({ world, client, workspaces, known }: WorkloadContext, index: number, theme: string) {
    this.theme = theme
    this.world = world
    this.random = world.random
    this.#client = client
    this.workspace = workspaces[index]!
    this.known = known[index]!
    this.#everything = known
  }

  send = (route: Route, input?: RequestInput): Promise<Answer | undefined> =>
    this.#client.send(route, this.workspace, input)

  sendAs = (workspace: Workspace, route: Route): Promise<Answer | undefined> => this.#client.send(route, workspace)

  sleep = (ms: number) => this.world.schedule.sleep(ms)

  /** A video that this client has created, the newest one most often. */
  video(): string | undefined {
    const { videos = [] } = this.random.chance(0.03) ? this.#others() : this.known
    return this.random.chance(0.6) ? videos.at(-1) : this.random.pick(videos)
  }

  /** What the client of another workspace has created: unknown here. */
  #others(): Known {
    return this.#everything.find((known) => known !== this.known) ?? this.known
  }

  /** A video whose generation is over, read with its timelines; undefined where it takes too long. */
  async readyVideo(
    include = timelines,
    isReady: (video: VideoBody) => boolean = () => true,
  ): Promise<VideoBody | undefined> {
    for (let looks = 0; looks < 6; looks++) {
      const id = this.video()
      const answer = id && (await this.send(routes.getVideo, { params: { id }, query: { include } }))
      const video = answer && answer.status === 200 ? (answer.body.data as VideoBody) : undefined
      if (video && ['COMPLETED', 'FAILED'].includes(video.process?.status ?? '') && isReady(video)) return video
      await this.sleep(this.random.integer(15_000, 90_000))
    }
    return undefined
  }

  /** Remembers the id of what was created. */
  async create(kind: 'videos' | 'automations', route: Route, input: RequestInput): Promise<void> {
    const answer = await this.send(route, input)
    const id = (answer?.body.data as { id?: string } | undefined)?.id
    if (answer && answer.status < 300 && id) this.known[kind] = [...new Set([...(this.known[kind] ?? []), id])]
  }
}
