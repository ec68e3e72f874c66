/** Bodies and queries of the routes under /automations. */
import * as v from 'valibot'
import type { AutomationEdit } from '../../domain/automations/edit-automation.ts'
import { platforms } from '../../domain/core/platform.ts'
import { hasField, pageQuery } from '../schemas.ts'
import { profileId } from './publishing.ts'
import { scheduleRequest } from './schedule.ts'

export const listAutomationsQuery = v.object(pageQuery)

const platformIds = platforms.map(({ id }) => id)

const editable = {
  schedule: v.exactOptional(scheduleRequest),
  profileId: v.exactOptional(v.nullable(profileId)),
  platforms: v.exactOptional(
    v.pipe(
      v.array(v.picklist(platformIds)),
      v.maxLength(platformIds.length, `must name at most ${platformIds.length} platforms`),
      v.transform((named) => [...new Set(named)]),
    ),
  ),
  autoRefill: v.exactOptional(v.boolean()),
  status: v.exactOptional(v.picklist(['active', 'paused'])),
}

/** Ignores unknown keys; refuses an edit without a known one. */
export const editAutomationRequest = v.pipe(
  v.object(editable),
  hasField(Object.keys(editable)),
  v.transform((edit): AutomationEdit => edit),
)

export const promoteVideoRequest = v.object({ enabled: v.boolean() })
