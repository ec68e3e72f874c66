/** Third parties: receivers of webhooks, vendors and platforms, as they answer and as they fail. */
import { sendDeadlineMs } from '../../../lib/platforms/send-window.ts'
import type { HttpRequest, Ports, Work } from '../ports.ts'
import { PortFailure } from './failure.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import type { Instance, Schedule } from './schedule.ts'
import type { Table } from './table.ts'

/** A request that reached a receiver of webhooks. */
export interface Received {
  at: number
  /** When its sender stopped waiting. */
  endedAt: number
  url: string
  deliveryId: string
  body: string
  headers: Readonly<Record<string, string>>
  /** Null where it was not answered. */
  status: number | null
  /** When the attempt was due. */
  dueAt: number | null
}

/** A post that a platform accepted. */
export interface AcceptedPost {
  at: number
  account: string
  /** `<run>-<account>`. */
  post: string
  externalId: string
}

interface ThirdPartiesDeps {
  schedule: Schedule
  random: Random
  faults: Faults
  table: Table
  /** Ends the process of the current task. */
  crash: (instance: Instance) => void
  /** Adds a line to the story. */
  note: (line: string) => void
}

export function createThirdParties({ schedule, random, faults, table, crash, note }: ThirdPartiesDeps) {
  const received: Received[] = []
  const posts: AcceptedPost[] = []

  /** A reply that reaches the task only while its process lives. */
  function forTask<Result>(work: () => Promise<Result>): Promise<Result> {
    const host = schedule.currentTask.getStore()?.instance
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    work().then(
      (result) => !host?.isDead && resolve(result),
      (error) => !host?.isDead && reject(error),
    )
    return promise
  }

  const down = new Map<string, boolean>()
  const isDown = (url: string): boolean => {
    if (!faults.isOn) return false
    const known = down.get(url) ?? faults.happens('receiverDown')
    down.set(url, known)
    return known
  }

  const receiveRequest = ({ url, headers, body, deadlineMs }: HttpRequest) =>
    forTask(async () => {
      await schedule.sleep(random.longTailed(5, 400))
      const isRefused = isDown(url) || faults.happens('receiverFails')
      const isUnanswered = !isRefused && faults.happens('receiverHangs')
      const isSilent = isUnanswered && random.chance(0.5)
      const isGone = isRefused && faults.happens('receiverGone')
      const status = isGone ? 410 : isRefused ? random.pick([500, 503, 429, 404, 301]) : 200
      const deliveryId = headers['X-Service-Delivery'] ?? ''
      const [, workspaceId] = /"workspaceId":"(\w+)"/.exec(body) ?? []
      const row = table.find({ pk: `WS#${workspaceId}#DLV#${deliveryId}`, sk: 'DELIVERY' })
      const dueAt = row?.nextAttemptAt ? Date.parse(String(row.nextAttemptAt)) : null
      const at = schedule.now()
      const request = { url, deliveryId, body, headers, status: isUnanswered ? null : status, dueAt }
      const waitsMs = isSilent ? deadlineMs : isUnanswered ? random.integer(100, deadlineMs) : 0
      received.push({ at, endedAt: at + waitsMs, ...request })
      note(`receiver ${status}${isUnanswered ? ' unanswered' : ''}`)
      if (isSilent) {
        await schedule.sleep(waitsMs)
        throw new PortFailure('timeout', `No complete response within ${deadlineMs} ms.`)
      }
      if (isUnanswered) {
        await schedule.sleep(waitsMs)
        throw new PortFailure('connection', 'The connection broke off.')
      }
      const isLater = [429, 503].includes(status) && random.chance(0.5)
      return { status, headers: isLater ? { 'retry-after': String(random.integer(1, 300)) } : {} }
    })

  const doWork = (name: string, [from, to]: Work['ms']) =>
    forTask(async () => {
      await schedule.sleep(random.integer(from, to))
      note(`work ${name}`)
      if (faults.happens('workDies')) crash(schedule.currentTask.getStore()!.instance)
      if (faults.happens('vendorBusy')) throw new PortFailure('ProviderBusy', 'The vendor is busy.')
      if (faults.happens('vendorFails'))
        throw new PortFailure(random.pick(['ProviderRejected', 'Error']), 'The vendor refused.')
    })

  const denied = new Map<string, boolean>()
  function isDenied(account: string): boolean {
    const known = denied.get(account) ?? faults.happens('platformDenies')
    denied.set(account, known)
    return known
  }

  const askPlatform: Ports['platform'] = (operation, { account = '', post = '' }) =>
    forTask(async () => {
      await schedule.sleep(
        faults.happens('platformSlow') ? random.integer(2_000, sendDeadlineMs - 1_000) : random.longTailed(20, 2_000),
      )
      if (faults.happens('platformUnreachable'))
        throw new PortFailure(
          random.pick(['NotSent', operation === 'publish' ? 'NotSent' : 'NoAnswer']),
          'The platform is down.',
        )
      if (operation !== 'lookUp') {
        if (faults.happens('tokenRefused')) throw new PortFailure('TokenRefused', 'The token is not accepted.')
        if (faults.happens('platformBusy')) throw new PortFailure('Busy', 'The platform asks to wait.')
        if (operation !== 'refresh' && faults.happens('platformRefuses'))
          throw new PortFailure('PostRefused', 'The platform does not accept this post.')
      }
      if (operation === 'lookUp' && isDenied(account)) throw new PortFailure('Denied', 'The posts are not shown.')
      if (operation === 'lookUp')
        return { externalId: posts.find((one) => one.post === post && one.account === account)?.externalId ?? null }
      if (operation !== 'publish') return { externalId: null }
      const isUnanswered = faults.happens('platformDies')
      const isAccepted = !isUnanswered || random.chance(0.7)
      const externalId = `post-${posts.length + 1}`
      if (isAccepted) posts.push({ at: schedule.now(), account, post, externalId })
      note(`platform publish ${isAccepted ? externalId : 'lost'}${isUnanswered ? ' unanswered' : ''}`)
      if (isUnanswered) throw new PortFailure('NoAnswer', 'The platform did not answer.')
      return { externalId }
    })

  return {
    received,
    posts,
    http: receiveRequest,
    work: ({ name, ms }: Work) => doWork(name, ms),
    platform: askPlatform,
  }
}
