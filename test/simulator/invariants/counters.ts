/** Counters and permits. */
import { videoStatus } from '../../../lib/domain/core/states.ts'
import type { Item } from '../world/expressions.ts'
import { differs, type Facts } from './facts.ts'

export const keysOf = (workspaceId: string, items: readonly Item[]) =>
  items.filter((item) => item.sk === 'KEY' && item.workspaceId === workspaceId && !item.revokedAt).length

export function countersTrue({ workspaces, records, videos, webhooks, uploads, items }: Facts): string[] {
  return workspaces.flatMap(({ id }) => {
    const record = records.get(id)!
    const own = videos.filter(({ workspaceId }) => workspaceId === id)
    const listed = own.filter(({ isAutomation, parentVideoId }) => !isAutomation && !parentVideoId)
    const counts = Object.fromEntries(
      [...Map.groupBy(listed, (video) => `${video.type}#${videoStatus(video)}`)].map(([name, found]) => [
        name,
        found.length,
      ]),
    )
    const stored = Object.fromEntries(Object.entries(record.videoCounts).filter(([, count]) => count !== 0))
    const sorted = (value: object) => JSON.stringify(Object.entries(value).toSorted())
    return [
      ...differs(`The counts of videos of ${id}`, sorted(stored), sorted(counts)),
      ...differs(
        `The number of endpoints of ${id}`,
        record.webhooksUsed,
        webhooks.filter(({ workspaceId }) => workspaceId === id).length,
      ),
      ...differs(`The number of keys of ${id}`, record.apiKeysUsed, keysOf(id, items)),
      ...differs(
        `The number of automations of ${id}`,
        record.automationsUsed,
        own.filter(({ isAutomation }) => isAutomation).length,
      ),
      ...differs(
        `The number of waiting uploads of ${id}`,
        record.uploadsWaiting,
        uploads.filter((one) => one.workspaceId === id && one.status === 'waiting').length,
      ),
    ]
  })
}

/** At rest, no run holds a permit, and without faults no request that waited does: that of a crashed one expires. */
export function permitsFree({ workspaces, items, isOver, world: { faults } }: Facts): string[] {
  if (!isOver) return []
  const semaphores = faults.injected.size === 0 ? ['runs', 'waits'] : ['runs']
  return workspaces.flatMap(({ id }) =>
    semaphores.flatMap((name) => {
      const holders = items.find(({ pk, sk }) => pk === `WS#${id}#SEMAPHORES` && sk === name)?.holders
      return differs(
        `The number of held permits for ${name} of ${id}`,
        (holders as Set<string> | undefined)?.size ?? 0,
        0,
      )
    }),
  )
}
