/**
 * Loads the input of a composition: what a render shows and when. Called by the first step of the render pipeline and
 * by the preview script.
 */
import { getJson } from '../../aws/media-bucket.ts'
import { getTimelines } from '../../aws/timelines.ts'
import { narrationFactsKey } from '../../domain/generation/narration.ts'
import { needsClip } from '../../domain/generation/scenes/scene-media.ts'
import { scenesAsBRolls } from '../../domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../domain/generation/scenes/soundtrack.ts'
import { soundtrackKey } from '../../domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../domain/records/video.ts'
import { contentOwner } from '../../domain/videos/clip.ts'
import { hasScenes, isPresentation } from '../../domain/videos/kind.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import type { ComposeInput } from '../../render/compose.ts'
import { pictureUrls } from '../../render/slides/slides-from-scenes.ts'
import { storeClientPictures } from './store-client-pictures.ts'

/** What edited scenes are missing: the soundtrack, which may still be that of a clip's source, or scene clips. */
export type MissingInput = 'sound' | 'clips'

/** The input of the composition, or what has to be made first. */
export async function loadComposeInput(
  workspace: Workspace,
  video: Video,
): Promise<{ input: ComposeInput } | { missing: MissingInput }> {
  if (isPresentation(video)) return { input: await presentationInput(workspace, video) }
  if (!hasScenes(video)) return { input: await getTimelines(video, ['captions', 'captionsPages', 'bRolls']) }
  const { scenes, ...captions } = await getTimelines(video, ['captions', 'captionsPages', 'scenes'])
  const audioKey = soundtrackKey(contentOwner(workspace, video), scenes, video.brief.voiceId)
  if (video.media.audioKey !== audioKey) return { missing: 'sound' }
  if (scenes.some((scene) => needsClip(video, scene))) return { missing: 'clips' }
  const { places } = await getJson<Soundtrack>(narrationFactsKey(audioKey))
  return { input: { ...captions, bRolls: scenesAsBRolls(video, scenes, places) } }
}

/** Slides cover everything else; the pictures that they name are fetched once per render. */
async function presentationInput(workspace: Workspace, video: Video): Promise<ComposeInput> {
  const names = ['captions', 'captionsPages', 'bRolls', 'presentationScenes'] as const
  const { presentationScenes: scenes, ...timeline } = await getTimelines(video, names)
  const { presentationLogoUrl = [], presentationIconUrl = [] } = video.config
  const urls = [presentationLogoUrl, presentationIconUrl, pictureUrls(scenes)].flat()
  const pictures = await storeClientPictures({ workspace, videoId: video.id }, urls)
  return { ...timeline, presentation: { scenes, pictures } }
}
