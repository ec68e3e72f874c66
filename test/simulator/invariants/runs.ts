/** Runs come to an end, each with its one event in the journal; without faults nothing is repaired. */
import { isReadyToPublish, runOutcome } from '../../../lib/domain/automations/clip-runs.ts'
import { isOpen } from '../../../lib/domain/core/states.ts'
import type { DomainEvent } from '../../../lib/domain/records/event.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { differs, type Facts } from './facts.ts'

export function nothingWaits({ isOver, videos, syncJobs, deliveries, items, world }: Facts): string[] {
  if (!isOver) return ['The run did not come to rest.']
  const now = new Date(world.schedule.now() - 5 * 60_000).toISOString()
  const open = videos.flatMap((video) =>
    (['process', 'render', 'publish'] as const)
      .filter((kind) => isOpen(video[kind]))
      .map((kind) => `The ${kind} of ${video.id} is still open.`),
  )
  const overdue = items
    .filter(({ dueSk, duePk }) => duePk && String(dueSk) < now)
    .map(({ pk, sk }) => `${pk}/${sk} is overdue.`)
  const running = syncJobs
    .filter(({ status }) => status === 'RUNNING')
    .map(({ runId }) => `The sync job ${runId} still runs.`)
  const pending = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ id }) => `The delivery ${id} is still pending.`)
  const existing = new Set(videos.map(({ id }) => id))
  // One whose automation was deleted stays with its client.
  const undecided = videos
    .filter(({ run, parentVideoId }) => run && !run.isOver && existing.has(parentVideoId ?? ''))
    .filter((clip) => runOutcome(clip) !== undefined || (clip.run!.isManual && isReadyToPublish(clip)))
    .map(({ id }) => `The run of the clip ${id} could end or publish, and does not.`)
  const slots = videos
    .filter(({ automation }) => automation?.nextSlot && automation.nextSlot.at < now)
    .map(({ id, automation }) => `The slot ${automation!.nextSlot!.at} of ${id} is not decided.`)
  return [...open, ...overdue, ...running, ...pending, ...undecided, ...slots]
}

const eventOf: Record<string, string | undefined> = {
  'process COMPLETED': 'video.generation_completed',
  'process FAILED': 'video.generation_failed',
  'render COMPLETED': 'video.render_completed',
  'render FAILED': 'video.render_failed',
  'publish COMPLETED': 'video.published',
  'publish FAILED': 'video.publish_failed',
}

const videoIdOf = ({ facts }: DomainEvent) => (facts as { video?: { id: string } }).video?.id

/** The numbers of a journal have no gap at the end. */
export function numberedWithoutGaps({ journal, workspaces, isOver }: Facts): string[] {
  if (!isOver) return []
  return workspaces.flatMap(({ id }) => {
    const numbers = journal.filter(({ workspaceId }) => workspaceId === id).map(({ sequence }) => sequence)
    const first = Math.min(...numbers)
    return differs(
      `The journal of ${id}`,
      numbers.toSorted((a, b) => a - b).join(),
      numbers.map((_, index) => first + index).join(),
    )
  })
}

/** Each event is in the journal, for a video in the order of the commits; each ended run has its one event. */
export function journalled({ world: { monitor }, journal, isOver }: Facts): string[] {
  if (!isOver) return []
  const entered = new Map(journal.map((entry) => [entry.id, entry]))
  const missing = [...monitor.events.keys()]
    .filter((id) => !entered.has(id))
    .map((id) => `The event ${id} is not in the journal.`)
  if (missing.length > 0) return missing
  const disordered = [...Map.groupBy(monitor.events.values(), ({ event }) => videoIdOf(event))].flatMap(
    ([videoId, committed]) =>
      videoId === undefined
        ? []
        : differs(
            `The journal of the video ${videoId}`,
            committed
              .map(({ event }) => event.id)
              .toSorted((a, b) => entered.get(a)!.sequence - entered.get(b)!.sequence)
              .join(),
            committed.map(({ event }) => event.id).join(),
          ),
  )
  const told = new Map<string, string[]>()
  for (const { event } of monitor.events.values()) {
    const { video } = event.facts as { video?: Pick<Video, 'process' | 'render' | 'publish'> }
    const [, subject] = /^video\.(generation|render|publish)/.exec(event.type) ?? []
    const kind = subject === 'generation' ? 'process' : (subject as 'render' | 'publish' | undefined)
    const runId = kind && video?.[kind]?.runId
    if (runId) told.set(runId, [...(told.get(runId) ?? []), event.type])
  }
  const untold = [...monitor.ended.values()].flatMap(({ kind, runId, status, isScript }) => {
    if (isScript && status === 'COMPLETED') return []
    const types = told.get(runId) ?? []
    const expected = eventOf[`${kind} ${status}`]
    return types.length === 1 && types[0] === expected
      ? []
      : [`The ${kind} run ${runId} ended ${status}, and has the events [${types.join()}].`]
  })
  return [...disordered, ...untold]
}

/** What the sweeper repairs was lost before, and errors are faults. */
export function quietWithoutFaults({ world: { faults, logs } }: Facts): string[] {
  if (faults.injected.size > 0) return []
  return logs
    .filter((line) => line.includes('"level":"error"') || line.includes('sweeper.repaired'))
    .map((line) => `Without a fault: ${line.slice(0, 300)}`)
}
