/**
 * Reconciles an automation when its slot timer fires: the slot may be due, or no longer planned. The file name is part of
 * the function's handler and deployed name.
 */
import * as v from 'valibot'
import { withLogFields } from '../../lib/log.ts'
import { reconcileAutomation } from '../../lib/use-cases/automations/reconcile-automation.ts'

const input = v.object({ workspaceId: v.string(), automationId: v.string() })

export async function handler(event: unknown): Promise<void> {
  const { workspaceId, automationId } = v.parse(input, event)
  await withLogFields({ workspaceId, automationId }, () => reconcileAutomation(workspaceId, automationId, null))
}
