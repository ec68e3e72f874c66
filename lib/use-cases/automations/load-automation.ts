/** Loads what a decision on an automation looks at. */

import type { Blueprint } from '../../domain/automations/blueprint.ts'
import { isBlueprint } from '../../domain/automations/blueprint.ts'
import type { AutomationContext } from '../../domain/automations/decision-builders.ts'
import type { ListPosition } from '../../domain/core/outbox.ts'
import { notFound, Refusal } from '../../domain/core/refusal.ts'
import { isOpen } from '../../domain/core/states.ts'
import type { Video } from '../../domain/records/video.ts'
import { findProfile } from '../../store/profiles.ts'
import { getVideo, getVideos, listAutomationsAfter, listClipIds } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'

/** An automation by its blueprint's id: a video that is none is not found. */
export async function getBlueprint(workspaceId: string, automationId: string): Promise<Blueprint> {
  const video = await getVideo(workspaceId, automationId)
  if (!isBlueprint(video)) throw notFound('record')
  return video
}

export async function loadAutomationContext(blueprint: Blueprint): Promise<AutomationContext> {
  const { workspaceId, automation, destination } = blueprint
  const [workspace, clip, found] = await Promise.all([
    getWorkspace(workspaceId),
    automation.waitingClipId ? findClip(workspaceId, automation.waitingClipId) : undefined,
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

/** Undefined where its client removed it. */
export async function findClip(workspaceId: string, clipId: string): Promise<Video | undefined> {
  try {
    return await getVideo(workspaceId, clipId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-found') return undefined
    throw error
  }
}

/** So many clips are looked through at once. */
const pageSize = 100

/** The oldest of the newest page that has one: whoever made more clips than a page at once has each of them published. */
async function findSpareClip({ workspaceId, id }: Blueprint): Promise<Video | undefined> {
  const ids = await listClipIds(workspaceId, id)
  for (let from = 0; from < ids.length; from += pageSize) {
    const clips = await getVideos(workspaceId, ids.slice(from, from + pageSize))
    const spare = clips.findLast(isSpare)
    if (spare) return spare
  }
  return undefined
}

const isSpare = ({ media, process, render, publish, run }: Video) =>
  media.renderKey !== null && !isOpen(process) && !isOpen(render) && publish === null && run === undefined
