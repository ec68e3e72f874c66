/** Example responses of `routes/jobs.ts`. */
import { requestScript } from '../../../domain/generation/script-job.ts'
import type { Video } from '../../../domain/records/video.ts'
import { requestConversion } from '../../../domain/videos/conversion.ts'
import { requestRender } from '../../../domain/videos/job-transitions.ts'
import { requestProcess } from '../../../domain/videos/requeue.ts'
import * as routes from '../../routes/jobs.ts'
import { downloadView, publicationView, videoView } from '../../views/index.ts'
import { examplePublishedVideo } from './publishing.ts'
import type { ExampleScenario } from './scenario.ts'

export function jobExamples({ workspace, ready, at, mediaUrl, objectKey }: ExampleScenario) {
  const processed = requestProcess(workspace, ready, routes.processVideo.bodyExample, 'run_3', at(56)).video
  const scripted = requestScript(workspace, ready, routes.writeScript.bodyExample.prompt, 'run_4', at(57)).video
  const scenes = objectKey('timelines/1.json')
  const aiVideo: Video = { ...ready, type: 'ai', timelines: { ...ready.timelines, scenes } }
  return {
    processVideo: videoView(processed, mediaUrl),
    writeScript: videoView(scripted, mediaUrl),
    renderVideo: videoView(requestRender(workspace, ready, 'run_2', at(55)).video, mediaUrl),
    downloadVideo: downloadView(ready, mediaUrl),
    convertVideo: videoView(requestConversion(aiVideo, 'run_3', at(56)).video, mediaUrl),
    describeVideo: { videoId: ready.id, description: 'Calm mornings begin in the evening. #mornings #habits' },
    publishVideo: publicationView(examplePublishedVideo(workspace, ready, at)),
  }
}
