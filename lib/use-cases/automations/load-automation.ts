/**
 * Loads the records that decisions on automations read. Called by the automation routes and the other use cases of
 * automations.
 */
import type { Blueprint } from '../../domain/automations/blueprint.ts'
import { isBlueprint } from '../../domain/automations/blueprint.ts'
import type { AutomationContext } from '../../domain/automations/decision-builders.ts'
import type { ListPosition } from '../../domain/core/outbox.ts'
import { notFound } from '../../domain/core/refusal.ts'
import { isOpen } from '../../domain/core/states.ts'
import type { Video } from '../../domain/records/video.ts'
import { findProfile } from '../../store/profiles.ts'
import { findVideo, getVideos, listAutomationsAfter, listClipIds } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'

/** An automation by the id of its blueprint; `not-found` for any other video. */
export async function getBlueprint(workspaceId: string, automationId: string): Promise<Blueprint> {
  const video = await findVideo(workspaceId, automationId)
  if (!video || !isBlueprint(video)) throw notFound('automation')
  return video
}

export async function loadAutomationContext(blueprint: Blueprint): Promise<AutomationContext> {
  const { workspaceId, automation, destination } = blueprint
  const [workspace, clip, found] = await Promise.all([
    getWorkspace(workspaceId),
    automation.waitingClipId ? findVideo(workspaceId, automation.waitingClipId) : undefined,
    destination?.profileId ? findProfile(workspaceId, destination.profileId) : undefined,
  ])
  const spare = clip || automation.autoRefill ? undefined : await findSpareClip(blueprint)
  return { workspace, blueprint, clip, spare, profile: found?.profile, accounts: found?.accounts ?? [] }
}

const automationsPerPage = 100

/** Every automation of a workspace, newest first. */
export async function* iterateAutomations(workspaceId: string): AsyncGenerator<Blueprint, void> {
  let after: ListPosition | undefined
  do {
    const { videos, last } = await listAutomationsAfter(workspaceId, after, automationsPerPage)
    yield* videos.filter(isBlueprint)
    after = last
  } while (after)
}

const clipsPerPage = 100

/** A spare clip of the client: the oldest of the newest page that has one. */
async function findSpareClip({ workspaceId, id }: Blueprint): Promise<Video | undefined> {
  const ids = await listClipIds(workspaceId, id)
  for (let from = 0; from < ids.length; from += clipsPerPage) {
    const clips = await getVideos(workspaceId, ids.slice(from, from + clipsPerPage))
    const spare = clips.findLast(isSpare)
    if (spare) return spare
  }
  return undefined
}

const isSpare = ({ media, process, render, publish, run }: Video) =>
  media.renderKey !== null && !isOpen(process) && !isOpen(render) && publish === null && run === undefined
