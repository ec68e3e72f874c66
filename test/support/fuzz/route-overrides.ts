/** The rows that the generated tests have to treat in another way than their table entry says, and nothing else. */
import type { rows } from '../../../lib/contract/openapi/document.ts'
import type * as routes from '../../../lib/contract/routes.ts'
import { given } from '../given/videos.ts'
import { call, type World } from '../world.ts'
import { ownIds, ownSegment } from './path-ids.ts'

type Row = (typeof rows)[number]

interface Special {
  /** Makes the records that the row is about, where those of `own-ids.ts` would be refused; gives the ids of its path. */
  given?: (world: World) => Promise<Record<string, string>>
  /** Where doing what the row is for takes long: it is done this often and no more. */
  tries?: number
}

const special: Partial<Record<keyof typeof routes, Special>> = {
  renderVideo: { given: async (world) => ({ id: (await given.generatedVideo(world)).id }) },
  promoteVideo: { given: async (world) => ({ id: (await given.generatedVideo(world)).id }) },
  // The portraits of these tests are nowhere to be fetched.
  replacePresentationScenes: { given: generatedPresentation },
  recutPresentation: { given: generatedPresentation },
  makePresenter: { given: generatedWithBRoll, tries: 0 },
}

/** A finished video that has a segment. */
async function generatedWithBRoll(world: World): Promise<Record<string, string>> {
  const { id } = await given.generatedVideo(world)
  const segment = ownSegment(world)
  await call('PUT', `/videos/${id}/brolls`, { key: world.apiKey, body: [segment] })
  return { id, brollId: segment.id }
}

/** A presentation with a transcript, which its scenes are cut from. */
async function generatedPresentation(world: World): Promise<Record<string, string>> {
  const { id } = await given.generatedVideo(world, { subType: 'presentation' })
  return { id }
}

/** How often a test may let a row do what it is for; actions that a request waits for are done twice. */
export const triesOf = ({ name, row }: Row): number =>
  special[name]?.tries ?? (row.uses?.some((use) => use === 'act') ? 2 : Number.POSITIVE_INFINITY)

export const isQuick = (whole: Row) => triesOf(whole) === Number.POSITIVE_INFINITY

export const givenIds = ({ name, path }: Row, world: World): Promise<Record<string, string>> =>
  special[name]?.given?.(world) ?? ownIds(world, path)
