/** Where the film can be fetched; the film of an ai video is stitched again where an edit cleared it. */
import { videoWithFilm } from '../../../lib/actions/film.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { downloadView } from '../../../lib/api/views.ts'
import { mediaUrl } from '../../../lib/media-url.ts'

export const handler = endpoint(routes.downloadVideo, async ({ params, workspaceId }) =>
  downloadView(await videoWithFilm(workspaceId, params.id), mediaUrl),
)
