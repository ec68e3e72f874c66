/** The rows that the generated tests have to treat in another way than their table entry says, and nothing else. */
import type { sortedRoutes } from '../../../lib/contract/openapi/document.ts'
import type * as routes from '../../../lib/contract/routes.ts'
import { given } from '../given/videos.ts'
import { callApi, type World } from '../world.ts'
import { bRollOf, createPathIds } from './path-ids.ts'

type Row = (typeof sortedRoutes)[number]

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
  setBRollPicture: { given: generatedWithBRoll },
}

/** A finished video that has a segment. */
async function generatedWithBRoll(world: World): Promise<Record<string, string>> {
  const { id } = await given.generatedVideo(world)
  const segment = bRollOf(world)
  await callApi('PUT', `/videos/${id}/brolls`, { key: world.apiKey, body: [segment] })
  return { id, brollId: segment.id }
}

/** A presentation with a transcript, which its scenes are cut from. */
async function generatedPresentation(world: World): Promise<Record<string, string>> {
  const { id } = await given.generatedVideo(world, { subType: 'presentation' })
  return { id }
}

/** How often a test may let a row do what it is for; actions that a request waits for are done twice. */
export const routeAttemptsMax = ({ name, row }: Row): number =>
  special[name]?.tries ?? (row.permissions?.some((use) => use === 'startPipeline') ? 2 : Number.POSITIVE_INFINITY)

export const hasNoAttemptsMax = (whole: Row) => routeAttemptsMax(whole) === Number.POSITIVE_INFINITY

export const pathIdsFor = ({ name, path }: Row, world: World): Promise<Record<string, string>> =>
  special[name]?.given?.(world) ?? createPathIds(world, path)
