/** Shows a picture of the client in a b-roll segment. */

import { createHash } from 'node:crypto'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { bRollView } from '../../../lib/bound-views/index.ts'
import * as routes from '../../../lib/contract/routes/timelines.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { withOwnPicture } from '../../../lib/domain/generation/b-rolls.ts'
import { invalidField, replaceTimelines } from '../../../lib/domain/videos/edits.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { pictureHeader } from '../../../lib/render/picture-size.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeArtefact, storeDecidedTimeline } from '../../../lib/use-cases/artefacts/store-artefact.ts'

/** A renderer decodes it whole. */
const sideMax = 4_096

export const handler = endpoint(
  routes.setBRollPicture,
  async ({ params, body, workspaceId, requireRevision, now, commit }) => {
    const [workspace, video] = await Promise.all([
      getWorkspace(workspaceId),
      getVideo(workspaceId, params.id).then(requireRevision),
    ])
    const bytes = Buffer.from(body.data, 'base64')
    const header = pictureHeader(bytes)
    if (!header) throw invalidField('body.data', 'must be a PNG, JPEG or WebP')
    if (Math.max(header.width, header.height) > sideMax)
      throw invalidField('body.data', `must have at most ${sideMax} pixels a side`)
    const owner = { workspace, videoId: video.id }
    const name = createHash('sha256').update(bytes).digest('hex')
    const key = artefactKey(owner, 'visuals', ['own-picture', name], header.format)
    const stored = await getTimelines(video, ['bRolls'])
    const { bRolls, segment } = withOwnPicture(stored.bRolls, params.brollId, key)
    await storeArtefact(owner, key, bytes, `image/${header.format}`)
    const decision = await storeDecidedTimeline(owner, 'bRolls', bRolls, (timeline) =>
      replaceTimelines(video, { bRolls: timeline }, now),
    )
    return commit(decision, bRollView(segment))
  },
)
