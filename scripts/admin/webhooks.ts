/** The operator's commands for webhook endpoints and their deliveries. They print no secret and no payload. */
import { now } from '../../lib/clock.ts'
import { webhookView } from '../../lib/contract/views/webhooks.ts'
import type { Delivery } from '../../lib/domain/records/delivery.ts'
import { listDeliveries } from '../../lib/store/deliveries.ts'
import { findWebhook, listWebhooks } from '../../lib/store/webhooks.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { type Command, type Flags, requireFlag } from './command.ts'
import { workspacesOf, workspaceUsage } from './workspace-flag.ts'

export const webhookCommands: Record<string, Command> = {
  'webhook list': {
    usage: '--workspace WORKSPACE',
    summary: 'Lists the webhook endpoints of a workspace, newest first.',
    empty: 'No webhooks.',
    run: async (flags) => {
      const { id } = await getWorkspace(requireFlag(flags, 'workspace'))
      return (await listWebhooks(id)).map(webhookView)
    },
  },
  'webhook show': {
    usage: `WEBHOOK ${workspaceUsage}`,
    hasArgument: true,
    summary: 'Shows a webhook endpoint.',
    run: async (flags) => {
      for (const workspaceId of await workspacesOf(flags)) {
        const webhook = await findWebhook(workspaceId, flags.argument!)
        if (webhook) return { workspaceId, ...webhookView(webhook) }
      }
      throw new Error(`There is no webhook ${flags.argument}.`)
    },
  },
  'webhook deliveries': {
    usage: '--workspace WORKSPACE [--webhook WEBHOOK] [--limit N]',
    summary: 'Lists the deliveries of the last seven days, newest first, 50 unless --limit says otherwise.',
    empty: 'No deliveries.',
    run: async (flags) => {
      const { id } = await getWorkspace(requireFlag(flags, 'workspace'))
      const range = { limit: limitOf(flags), offset: 0 }
      const { deliveries } = await listDeliveries(id, { webhookId: flags.webhook }, range, now())
      return deliveries.map(deliveryRow)
    },
  },
}

const limitMax = 1_000

function limitOf({ limit = '50' }: Flags): number {
  const count = Number(limit)
  if (!Number.isSafeInteger(count) || count < 1 || count > limitMax)
    throw new Error(`--limit must be a whole number from 1 to ${limitMax}.`)
  return count
}

const deliveryRow = (delivery: Delivery) => ({
  id: delivery.id,
  webhookId: delivery.webhookId,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts,
  responseStatus: delivery.responseStatus,
  createdAt: delivery.createdAt,
  nextAttemptAt: delivery.nextAttemptAt,
  deliveredAt: delivery.deliveredAt,
  lastError: delivery.lastError,
  url: delivery.url,
})
