/** Writes the caption that is posted with the video, while the request waits. */
import { perform } from '../../../lib/actions/act.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import type { VideoDescription } from '../../../lib/api/resources.ts'
import * as routes from '../../../lib/api/routes.ts'
import { prices } from '../../../lib/domain/plan.ts'
import { priceOf } from '../../../lib/domain/workspace.ts'

export const handler = endpoint(routes.describeVideo, ({ params, body, workspaceId, answerScope }) =>
  perform<VideoDescription>({
    workspaceId,
    videoId: params.id,
    kind: 'description',
    target: '',
    input: { prompt: body.prompt ?? null },
    answerScope,
    check: () => {},
    price: (workspace, _video, at) => priceOf(workspace, prices.description, 'video', at),
  }),
)
