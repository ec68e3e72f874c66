/**
 * The views of `lib/contract/views/index.ts` that show media URLs, bound to the media host of the deployment. How a record
 * is shown is decided there, not here.
 */
import * as views from '../contract/views/index.ts'
import { bindMediaUrl } from './bind-media-url.ts'

export const videoView = bindMediaUrl(views.videoView)
export const videoItemView = bindMediaUrl(views.videoItemView)
export const downloadView = bindMediaUrl(views.downloadView)
export const bRollView = bindMediaUrl(views.bRollView)
export const sceneView = bindMediaUrl(views.sceneView)
export const timelineViews = bindMediaUrl(views.timelineViews)
export const voiceView = bindMediaUrl(views.voiceView)
