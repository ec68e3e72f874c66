/** Example responses of `routes/videos.ts`. */
import * as edits from '../../../domain/videos/edits.ts'
import { builtInVoices } from '../../../domain/videos/voices.ts'
import * as routes from '../../routes/videos.ts'
import { videoItemView, videoView } from '../../views/index.ts'
import { type ExampleScenario, examplePage } from './scenario.ts'

export const videoExamples = ({ queued, ready, clip, at, mediaUrl }: ExampleScenario) => ({
  createVideo: videoView(queued, mediaUrl),
  listVideos: examplePage(videoItemView(ready, mediaUrl)),
  getVideo: videoView(ready, mediaUrl),
  editVideo: videoView(edits.editVideo(ready, routes.editVideo.bodyExample, builtInVoices, at(52)).video, mediaUrl),
  deleteVideo: { ok: true, deletedClips: 2, deletedBytes: 25_238_709 },
  listClips: examplePage(videoItemView(clip, mediaUrl)),
  createClip: videoView(clip, mediaUrl),
  getConfig: ready.config,
  mergeConfig: edits.mergeConfig(ready, routes.mergeConfig.bodyExample, at(53)).video.config,
  resetConfig: edits.resetConfig(ready, at(54)).video.config,
})
