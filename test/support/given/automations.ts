/**
 * Automations as preconditions, made through the rules and the store: their blueprints are generated, no run was made
 * yet.
 */

import { now } from '../../../lib/clock.ts'
import { promote } from '../../../lib/domain/automations/automation-lifecycle.ts'
import type { Blueprint } from '../../../lib/domain/automations/blueprint.ts'
import { isBlueprint } from '../../../lib/domain/automations/blueprint.ts'
import { type AutomationEdit, editAutomation } from '../../../lib/domain/automations/edit-automation.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeProcess, completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { beginProcess, beginRender } from '../../../lib/domain/videos/job-transitions.ts'
import { getProfile } from '../../../lib/store/profiles.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { storeConnectedAccount } from '../../../lib/use-cases/accounts/store-connected-account.ts'
import { reconcileAutomation } from '../../../lib/use-cases/automations/reconcile-automation.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import type { World } from '../world.ts'
import { connectionWith, hourSeconds, tokensFor } from './accounts.ts'
import { type GivenVideo, given } from './videos.ts'

type WorkspaceRef = Pick<World, 'workspaceId'>

export interface GivenAutomation extends AutomationEdit {
  /** What its blueprint shows. */
  video?: GivenVideo
}

/** An automation of a generated video: set up where a profile and platforms are given. */
export async function givenAutomation(
  place: WorkspaceRef,
  { video, ...edit }: GivenAutomation = {},
): Promise<Blueprint> {
  const { id: videoId, workspaceId } = await given.generatedVideo(place, video)
  const workspace = await getWorkspace(workspaceId)
  const promoted = await changeVideo({ workspaceId, videoId }, (generated) => promote(workspace, generated, now()))
  const accounts = edit.profileId ? (await getProfile(workspaceId, edit.profileId)).accounts : []
  const seen = { accounts, clip: undefined }
  if (Object.keys(edit).length === 0) return asBlueprint(promoted)
  return asBlueprint(
    await changeVideo({ workspaceId, videoId }, (video) =>
      editAutomation(workspace, asBlueprint(video), edit, seen, now()),
    ),
  )
}

/** A completely set up automation: it publishes to the platforms of a new profile, whose accounts no platform knows. */
export async function readyAutomation(place: WorkspaceRef, given: GivenAutomation = {}): Promise<Blueprint> {
  const platforms: PlatformId[] = given.platforms ?? ['bluesky']
  const profileId = given.profileId ?? (await connectedProfile(place, platforms))
  return givenAutomation(place, { ...given, profileId, platforms })
}

/** A profile with an account on each of the platforms. */
export async function connectedProfile(
  { workspaceId }: WorkspaceRef,
  platforms: readonly PlatformId[],
): Promise<string> {
  const { id } = await addProfile(workspaceId, { name: 'Studio' })
  for (const platform of platforms)
    await storeConnectedAccount(workspaceId, id, platform, connectionWith(tokensFor(hourSeconds), `${id}-${platform}`))
  return id
}

function asBlueprint(video: Video): Blueprint {
  if (!isBlueprint(video)) throw new Error(`${video.id} is no blueprint.`)
  return video
}

/** Completes the generation and the render of a clip of an automation, without files. */
export async function finishClip({ workspaceId }: WorkspaceRef, videoId: string): Promise<Video> {
  const workspace = await getWorkspace(workspaceId)
  const place = { workspaceId, videoId }
  const key = (kind: 'narrations' | 'manifests' | 'renders', extension: string) =>
    artefactKey({ workspace, videoId }, kind, videoId, extension)
  const { process } = await getVideo(workspaceId, videoId)
  const made = { title: 'Calm', durationSeconds: 10, audioKey: key('narrations', 'wav'), timelines: {} }
  await changeVideo(place, (video) => beginProcess(video, process!.runId, now()))
  const { render } = await changeVideo(place, (video) => completeProcess(workspace, video, process!.runId, made, now()))
  const film = { renderKey: key('renders', 'mp4'), thumbnailKey: key('renders', 'jpg'), bytes: 1_000 }
  await changeVideo(place, (video) => beginRender(video, render!.runId, key('manifests', 'json'), now()))
  return changeVideo(place, (video) => completeRender(video, render!.runId, 0, film, now()))
}

/** A ready automation whose first clip waits, armed for the next slot. */
export async function armedAutomation(place: WorkspaceRef): Promise<{ id: string; clipId: string }> {
  const { id, workspaceId } = await readyAutomation(place)
  await reconcileAutomation(workspaceId, id, null)
  const clipId = asBlueprint(await getVideo(workspaceId, id)).automation.waitingClipId
  if (!clipId) throw new Error(`The automation ${id} made no clip.`)
  await finishClip(place, clipId)
  await reconcileAutomation(workspaceId, id, null)
  return { id, clipId }
}
