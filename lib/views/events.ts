/** The body of an event, bound to the media host. */
import * as views from '../contract/views/events.ts'
import { bindMediaUrl } from './bind.ts'

export const eventEnvelopeView = bindMediaUrl(views.eventEnvelopeView)
