/** The view of an automation, bound to the media host. A separate file, because it loads the time zones of schedules. */
import * as views from '../contract/views/automations.ts'
import { bindMediaUrl } from './bind-media-url.ts'

export const automationView = bindMediaUrl(views.automationView)
