/** The update of the workspace record in a commit: counters of videos and uploads, charges, used storage. */
import { profilesMax } from '../../domain/accounts/create-profile.ts'
import type { Charge, CreditUnit } from '../../domain/core/credits.ts'
import type { ApiKey } from '../../domain/records/api-key.ts'
import type { Decision, RecordChange } from '../../domain/records/decision.ts'
import type { Upload } from '../../domain/records/upload.ts'
import { waitingUploadsMax } from '../../domain/uploads/upload-lifecycle.ts'
import { apiKeysMax, webhooksMax } from '../../domain/workspaces/plan.ts'
import { type TransactItem, tableName } from './client.ts'
import { keys } from './keys.ts'
import { counterNameOf } from './rows.ts'

/**
 * Collects the parts of one update; every attribute is set once, by the sum of its changes. A counter that an older
 * release did not write counts as 0, as in `row-compatibility.ts`.
 */
class UpdateBuilder {
  readonly sets: string[] = []
  readonly conditions: string[] = []
  readonly names: Record<string, string> = {}
  readonly values: Record<string, unknown> = {}

  value(of: unknown): string {
    const name = `:v${Object.keys(this.values).length}`
    this.values[name] = of
    return name
  }

  add(attribute: string, amount: number): void {
    if (amount === 0) return
    this.sets.push(`${attribute} = if_not_exists(${attribute}, ${this.value(0)}) + ${this.value(amount)}`)
  }

  set(attribute: string, value: unknown): void {
    this.sets.push(`${attribute} = ${this.value(value)}`)
  }

  require(attribute: string, comparison: '=' | '>=' | '<', value: unknown): void {
    const holds = `${attribute} ${comparison} ${this.value(value)}`
    this.conditions.push(comparison === '>=' ? holds : `(attribute_not_exists(${attribute}) OR ${holds})`)
  }
}

/** Empty where nothing changes. Its conditions fail unless balance, month and limits are those of the decision. */
export function workspaceUpdate(decision: Decision): TransactItem[] {
  const parts = new UpdateBuilder()
  countVideos(parts, decision)
  countLimited(parts, decision)
  countApiKeys(parts, decision)
  countAutomations(parts, decision)
  charge(parts, decision)
  countUploads(parts, decision)
  countStorage(parts, decision)
  if (parts.sets.length === 0) return []
  const { sets, conditions, names, values } = parts
  return [
    {
      Update: {
        TableName: tableName(),
        Key: keys.workspace(decision.workspaceId),
        UpdateExpression: `SET ${sets.join(', ')}`,
        ConditionExpression: ['attribute_exists(pk)', ...conditions].join(' AND '),
        ...(Object.keys(names).length ? { ExpressionAttributeNames: names } : {}),
        ...(Object.keys(values).length ? { ExpressionAttributeValues: values } : {}),
      },
    },
  ]
}

function countVideos(parts: UpdateBuilder, { changes }: Decision): void {
  const moves = new Map<string, number>()
  for (const change of changes) {
    if (change.record !== 'video') continue
    const [from, to] = [counterNameOf(change.before), counterNameOf(change.after)]
    if (from) moves.set(from, (moves.get(from) ?? 0) - 1)
    if (to) moves.set(to, (moves.get(to) ?? 0) + 1)
  }
  for (const [name, more] of moves) {
    if (more === 0) continue
    const path = `#counts.#count${Object.keys(parts.names).length}`
    parts.names['#counts'] = 'videoCounts'
    parts.names[path.slice('#counts.'.length)] = name
    parts.sets.push(`${path} = if_not_exists(${path}, ${parts.value(0)}) + ${parts.value(more)}`)
  }
}

/** Records with a limit per workspace; of two concurrent creations of the last one, one fails its condition. */
const limited = [
  { record: 'webhook', attribute: 'webhooksUsed', max: webhooksMax },
  { record: 'profile', attribute: 'profilesUsed', max: profilesMax },
] as const

function countLimited(parts: UpdateBuilder, { changes }: Decision): void {
  for (const { record, attribute, max } of limited) {
    const more = changes
      .filter((change) => change.record === record)
      .reduce((sum, { before, after }) => sum + (after ? 1 : 0) - (before ? 1 : 0), 0)
    parts.add(attribute, more)
    if (more > 0) parts.require(attribute, '<', max)
  }
}

/** Without revoked ones. A suspended workspace gets no key: its suspension has marked all that there were. */
function countApiKeys(parts: UpdateBuilder, { changes }: Decision): void {
  const isValid = (key: ApiKey | undefined) => Number(key?.revokedAt === null)
  const more = changes.reduce(
    (sum, change) => (change.record === 'apiKey' ? sum + isValid(change.after) - isValid(change.before) : sum),
    0,
  )
  parts.add('apiKeysUsed', more)
  if (more <= 0) return
  parts.require('apiKeysUsed', '<', apiKeysMax)
  parts.conditions.push('attribute_not_exists(suspendedAt)')
}

function countAutomations(parts: UpdateBuilder, { changes, automationsMax }: Decision): void {
  const more = changes.reduce(
    (sum, change) =>
      change.record === 'video'
        ? sum + Number(change.after?.isAutomation ?? false) - Number(change.before?.isAutomation ?? false)
        : sum,
    0,
  )
  parts.add('automationsUsed', more)
  if (more > 0 && automationsMax != null) parts.require('automationsUsed', '<', automationsMax)
}

/** Uploads without a reservation are of an earlier version, which did not count them. */
const reservationOf = (upload: Upload | undefined) =>
  upload?.status === 'waiting' && upload.reservedBytes !== undefined ? upload.reservedBytes : undefined

function countUploads(parts: UpdateBuilder, { changes }: Decision): void {
  const isWaiting = (upload: Upload | undefined) => Number(reservationOf(upload) !== undefined)
  const more = changes.reduce(
    (sum, change) => (change.record === 'upload' ? sum + isWaiting(change.after) - isWaiting(change.before) : sum),
    0,
  )
  parts.add('uploadsWaiting', more)
  if (more > 0) parts.require('uploadsWaiting', '<', waitingUploadsMax)
}

/** The bytes of deleted videos, of reservations, and of the files that uploaded videos are made from. */
function countStorage(parts: UpdateBuilder, { changes, storageBytesMax }: Decision): void {
  const bytesOf = (change: RecordChange) => {
    if (change.record === 'upload') return (reservationOf(change.after) ?? 0) - (reservationOf(change.before) ?? 0)
    if (change.record !== 'video') return 0
    return change.after ? (change.source?.bytes ?? 0) : -change.holdings.storedBytes
  }
  const more = changes.reduce((sum, change) => sum + bytesOf(change), 0)
  parts.add('storageUsedBytes', more)
  if (more > 0 && storageBytesMax != null) parts.require('storageUsedBytes', '<', storageBytesMax - more + 1)
}

function charge(parts: UpdateBuilder, { charges, month, renewal }: Decision): void {
  const generations = charges.flatMap(({ generation }) => generation ?? [])
  const captured = sum(charges, ({ kind, unit }) => kind === 'capture' && unit === 'video')
  const net = (unit: CreditUnit) => {
    const metered = (kind: Charge['kind']) =>
      sum(charges, (one) => one.kind === kind && one.metered && one.unit === unit)
    const [taken, released, granted] = [metered('reserve'), metered('release'), metered('grant')]
    return { taken, granted, more: released + granted - taken, reserved: taken - released - metered('capture') }
  }
  const [video, avatar] = [net('video'), net('avatar')]

  parts.add('avatarCreditsBalance', avatar.more)
  if (avatar.taken > 0) parts.require('avatarCreditsBalance', '>=', avatar.taken)

  parts.add('creditsReserved', video.reserved)

  if (renewal) {
    parts.require('#month', '=', renewal.from)
    parts.require('creditsBalance', '=', renewal.seenBalance)
    parts.require('creditsReserved', '=', renewal.seenReserved)
    parts.names['#month'] = 'month'
    parts.set('#month', renewal.month)
    parts.set('generationsUsed', generations.length)
    parts.set('creditsGranted', renewal.granted + video.granted)
    parts.set('creditsExtra', video.granted)
    parts.set('creditsUsed', captured)
    parts.add('creditsBalance', renewal.credits + video.more)
    return
  }
  parts.add('creditsBalance', video.more)
  parts.add('creditsGranted', video.granted)
  parts.add('creditsExtra', video.granted)
  parts.add('creditsUsed', captured)
  parts.add('generationsUsed', generations.length)
  if (video.taken > 0) parts.require('creditsBalance', '>=', video.taken)
  for (const { limit } of generations) if (limit !== null) parts.require('generationsUsed', '<', limit)
  if (month !== undefined) {
    parts.names['#month'] = 'month'
    parts.require('#month', '=', month)
  }
}

const sum = (charges: readonly Charge[], which: (charge: Charge) => boolean) =>
  charges.filter(which).reduce((total, { credits }) => total + credits, 0)
