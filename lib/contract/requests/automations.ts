/** Bodies and queries of the routes about automations. */
import * as v from 'valibot'
import type { AutomationEdit } from '../../domain/automations/edit-automation.ts'
import { platforms } from '../../domain/core/platform.ts'
import { pageQuery } from '../schemas.ts'
import { profileId } from './publishing.ts'
import { scheduleRequest } from './schedule.ts'

export const listAutomationsQuery = v.object(pageQuery)

const optional = <const Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(schema)
const platformIds = platforms.map(({ id }) => id)

const editable = {
  schedule: optional(scheduleRequest),
  profileId: optional(v.nullable(profileId)),
  platforms: optional(
    v.pipe(
      v.array(v.picklist(platformIds)),
      v.maxLength(platformIds.length, `must name at most ${platformIds.length} platforms`),
      v.transform((named) => [...new Set(named)]),
    ),
  ),
  autoRefill: optional(v.boolean()),
  status: optional(v.picklist(['active', 'paused'])),
}

/** Unknown keys are ignored; an edit of nothing is refused. */
export const editAutomationRequest = v.pipe(
  v.object(editable),
  v.check((edit) => Object.keys(edit).length > 0, `needs one of ${Object.keys(editable).join(', ')}`),
  v.transform((edit): AutomationEdit => edit),
)

export const promoteVideoRequest = v.object({ enabled: v.boolean() })
