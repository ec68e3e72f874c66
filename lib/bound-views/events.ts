/** The body of an event, bound to the media host. */
import * as views from '../contract/views/events.ts'
import { bindMediaUrl } from './bind-media-url.ts'

export const eventEnvelopeView = bindMediaUrl(views.eventEnvelopeView)
