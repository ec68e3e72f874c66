/**
 * One simulated deployment: functions of the service on ports in memory, and everything that calls them (stream, queues,
 * engine, schedules, storage events). Deterministic: the seed decides every latency, order and fault.
 */
import { readStateMachines } from '../../../local/handlers.ts'
import type { ServiceFactory } from '../bundle.ts'
import type { Ports } from '../ports.ts'
import { createEngine } from './engine.ts'
import { PortFailure } from './failure.ts'
import { type CallFault, createFaults, type Faults, type LikelyFaults } from './faults.ts'
import { createFunctions } from './functions.ts'
import { createMonitor } from './monitor.ts'
import { createQueue } from './queue.ts'
import type { Random } from './random.ts'
import { createSchedule, type Task } from './schedule.ts'
import { createStorage } from './storage.ts'
import { createStream } from './stream.ts'
import { createTable } from './table.ts'
import { createThirdParties } from './third-parties.ts'
import { conflictOf, createTransactions, tokenOf, writes } from './transactions.ts'
import { createTriggers } from './triggers.ts'

export interface WorldOptions {
  random: Random
  newService: ServiceFactory
  startAt: number
  disabledFaults?: ReadonlySet<string>
  likelyFaults?: LikelyFaults
  /** Receives one line for each call, for stories. */
  onTrace?: ((line: string) => void) | undefined
}

export type World = ReturnType<typeof createWorld>

const machines = readStateMachines()
const secret = JSON.stringify(
  Object.fromEntries(
    ['tiktok', 'youtube', 'instagram', 'twitter', 'facebook', 'linkedin', 'threads', 'pinterest', 'reddit'].map(
      (id) => [id, { id: 'client', secret: 'client-secret-of-the-deployment' }],
    ),
  ),
)

export function createWorld({ random, newService, startAt, disabledFaults, likelyFaults, onTrace }: WorldOptions) {
  const schedule = createSchedule(startAt)
  const { now } = schedule
  const faults: Faults = createFaults(random, disabledFaults, likelyFaults)
  /** How many entries of a batch are done. */
  const partOf = (entries: number) => (faults.happens('partialBatch') ? random.integer(0, entries - 1) : entries)
  const storage = createStorage(partOf)
  let writer: Task | undefined
  const monitor = createMonitor(schedule.now, () => writer)
  const logs: string[] = []
  let [hash, calls] = [0, 0]

  function note(line: string): void {
    for (let index = 0; index < line.length; index++) hash = (Math.imul(hash, 31) + line.charCodeAt(index)) | 0
    onTrace?.(`${((now() - startAt) / 1000).toFixed(3)} ${line}`)
  }

  const functions = createFunctions({
    schedule,
    random,
    faults,
    newService: (clock) => newService({ ...ports, now: clock }),
    setTimeout: (run, ms) => ports.setTimeout(run, ms),
    note,
  })
  const { invoke, crash } = functions
  /** Milliseconds of a usual call. */
  const callMs = random.pick([2, 5, 20])

  const engine = createEngine(machines, {
    now,
    sleep: schedule.sleep,
    random: random.next,
    invoke: functions.invokeAny,
    runTask: functions.runTask,
    isLost: () => faults.happens('lostExecution'),
  })

  const stream = createStream({ schedule, random, faults, invoke })
  const table = createTable({
    now,
    indexLag: () => (faults.happens('staleIndex') ? random.integer(10, 3_000) : 0),
    isStale: () => faults.happens('staleRead'),
    partOf,
    onRecord: stream.onRecord,
    onWrite: monitor.onWrite,
  })

  const queue = createQueue({ schedule, random, faults, partOf, invoke })
  const triggers = createTriggers({ schedule, random, faults, table, invoke })
  const thirdParties = createThirdParties({ schedule, random, faults, table, crash, note })
  const transactions = createTransactions()

  // Calls of the service

  const keysOfSecrets = {
    GenerateDataKey: ({ EncryptionContext }: { EncryptionContext: object }) => {
      const Plaintext = random.bytes(32)
      const blob = JSON.stringify([Buffer.from(Plaintext).toString('hex'), EncryptionContext])
      return { Plaintext, CiphertextBlob: Buffer.from(blob) }
    },
    Decrypt: ({ CiphertextBlob, EncryptionContext }: { CiphertextBlob: Uint8Array; EncryptionContext: object }) => {
      const [key, sealedWith] = JSON.parse(Buffer.from(CiphertextBlob).toString('utf8')) as [string, object]
      const canonical = (value: object) => JSON.stringify(Object.entries(value).toSorted())
      if (canonical(sealedWith) !== canonical(EncryptionContext))
        throw new PortFailure('InvalidCiphertextException', 'Another context.')
      return { Plaintext: Buffer.from(key, 'hex') }
    },
  }

  const services: Record<string, Record<string, (input: never) => unknown>> = {
    table: table.operations,
    storage: {
      ...storage.operations,
      PutObject: (input: never) => {
        const result = storage.operations.PutObject(input)
        const { Key } = input as { Key: string }
        if (Key.includes('/sources/')) announceUpload(Key)
        return result
      },
    },
    queue: queue.operations,
    engine: engine.operations,
    schedules: triggers.operations,
    keys: keysOfSecrets,
    secrets: {
      GetSecretValue: ({ SecretId }: { SecretId: string }) => ({
        SecretString: SecretId.includes('clients') ? secret : '{}',
      }),
    },
  }

  /** Does what a task asked for. */
  function perform(task: Task | undefined, service: string, operation: string, input: unknown): unknown {
    writer = task
    return services[service]![operation]!(input as never)
  }

  function announceUpload(key: string): void {
    if (faults.happens('uploadEventLost')) return
    schedule.at(
      now() + random.longTailed(50, 5_000),
      () => void invoke('workers/receive-upload', { detail: { object: { key } } }).catch(() => {}),
    )
  }

  /** The failure that the caller sees; undefined where the call happens. */
  function failureOf(fault: CallFault | undefined, operation: string, input: unknown): PortFailure | undefined {
    if (transactions.isInProgress(input))
      return new PortFailure(
        'TransactionInProgressException',
        'The transaction with the given token is already in progress',
      )
    if (table.isCommitted(tokenOf(input))) return undefined
    const held = transactions.conflictWith(operation, input)
    if (held) return held
    if (fault === 'throttled') return new PortFailure('ThrottlingException', 'Rate exceeded')
    if (fault !== 'conflict') return undefined
    const { TransactItems = [] } = input as { TransactItems?: unknown[] }
    const hit = random.integer(0, Math.max(TransactItems.length - 1, 0))
    return conflictOf(operation, input, (_key, index) => index === hit)
  }

  function happenLate(
    task: Task | undefined,
    service: string,
    operation: string,
    input: unknown,
    delayMs: number,
    isOnItsWay: boolean,
  ): void {
    if (!isOnItsWay) transactions.begin(input)
    schedule.at(now() + delayMs, () => {
      transactions.end(input)
      try {
        perform(task, service, operation, input)
        note(`${operation} ${summary(input)} [late]`)
      } catch {
        note(`${operation} ${summary(input)} [late] failed`)
      }
    })
  }

  const ports: Ports = {
    now,
    random: random.next,
    randomBytes: random.bytes,
    setTimeout: schedule.setTimeout,
    log: (line) => void logs.push(line),
    files: functions.files,
    aws: (service, operation, input, { timeoutMs, signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const task = schedule.currentTask.getStore()
      const host = task?.instance
      const isAlive = () => !host?.isDead
      const reply = (act: () => void, delayMs = 0) => {
        if (delayMs > 0) schedule.at(now() + delayMs, () => isAlive() && act())
        else if (isAlive()) act()
      }
      const timeOut = () => reject(new PortFailure('TimeoutError', `No answer within ${timeoutMs} ms.`))
      if (signal) {
        const abort = () => reject(Object.assign(new PortFailure('AbortError', 'Aborted'), { cause: signal.reason }))
        signal.addEventListener('abort', abort)
        // Node holds a signal of several sources, and all that its listeners refer to, for as long as it has any.
        const forget = () => signal.removeEventListener('abort', abort)
        promise.then(forget, forget)
      }
      const delayMs = task && faults.delays(operation) ? random.integer(50, 2_500) : 0
      schedule.at(now() + delayMs + random.longTailed(callMs / 2, callMs * 4), () => {
        // A dead process may have sent its request.
        if (!isAlive() && random.chance(0.5)) return
        const isConflicting = service === 'table' && writes.has(operation)
        const isPossible = (name: CallFault) =>
          name === 'conflict' ? isConflicting : name !== 'late' || operation === 'TransactWrite'
        const fault = task ? faults.ofCall(isPossible) : undefined
        calls++
        const title = () =>
          `${task?.name ?? 'setup'}#${task?.id ?? 0} ${operation} ${summary(input)}${fault ? ` [${fault}]` : ''}`
        if (fault === 'crashBefore') {
          note(title())
          if (operation === 'TransactWrite' && faults.happens('sentByDead'))
            happenLate(task, service, operation, input, random.integer(50, 10_000), true)
          return host && crash(host)
        }
        if (fault === 'unsent') {
          note(title())
          return reply(timeOut, timeoutMs)
        }
        if (fault === 'late' && !transactions.isInProgress(input)) {
          note(title())
          happenLate(task, service, operation, input, timeoutMs + random.integer(1, 5_000), random.chance(0.5))
          return reply(timeOut, timeoutMs)
        }
        let outcome: unknown
        let failure = failureOf(fault, operation, input)
        try {
          if (!failure) outcome = perform(task, service, operation, input)
        } catch (error) {
          if (!(error instanceof PortFailure) && (error as Error).name !== 'ValidationException') throw error
          failure = error as PortFailure
        }
        note(`${title()}${failure ? ` -> ${failure.name}: ${failure.message}` : ''}`)
        if (fault === 'crashAfter') return host && crash(host)
        if (fault === 'unanswered') return reply(timeOut, timeoutMs)
        const settle = failure ? () => reject(failure) : () => resolve(outcome)
        const delay = fault === 'slow' ? random.integer(100, 8_000) : 0
        if (delay > timeoutMs) reply(timeOut, timeoutMs)
        else reply(settle, delay)
      })
      return promise
    },
    http: thirdParties.http,
    work: thirdParties.work,
    platform: thirdParties.platform,
  }

  let pendingClients = 0
  return {
    schedule,
    faults,
    table,
    storage,
    monitor,
    engine,
    received: thirdParties.received,
    posts: thirdParties.posts,
    logs,
    ports,
    call: functions.call,
    context: functions.context,
    note,
    random,
    startAt,
    /** A client at work keeps the run going. */
    async client(work: () => Promise<void>): Promise<void> {
      pendingClients++
      await work().finally(() => pendingClients--)
    },
    /** Uploads a file as a client does. */
    upload(key: string, body: Uint8Array, contentType: string): void {
      note(`upload ${key}`)
      services.storage!.PutObject!({ Key: key, Body: body, ContentType: contentType } as never)
    },
    startSweeping: triggers.startSweeping,
    expire(): void {
      table.expire()
    },
    /** Whether nothing is under way, and nothing will be before `horizon`. */
    isQuiet(horizon: number): boolean {
      if (pendingClients > 0 || !queue.isIdle() || !stream.isIdle() || !functions.isIdle()) return false
      return engine.executions().every(({ status }) => status !== 'RUNNING') && triggers.isIdle(horizon)
    },
    statistics: () => ({
      calls,
      ...functions.statistics(),
      events: schedule.events,
      records: stream.records,
      messages: queue.sent,
    }),
    hash: () => (hash >>> 0).toString(16),
  }
}

/** The keys of a call, for stories. */
function summary(input: unknown): string {
  const { Key, Item, TransactItems, Entries, name, Prefix, IndexName } = input as Record<string, unknown>
  const text = (value: unknown) =>
    typeof value === 'string' ? value : value ? `${(value as { pk: string }).pk}/${(value as { sk: string }).sk}` : ''
  if (Array.isArray(TransactItems))
    return TransactItems.map((one) => {
      const [[kind, write]] = Object.entries(one as Record<string, Record<string, unknown>>) as [
        [string, Record<string, unknown>],
      ]
      return `${kind} ${text(write.Key ?? write.Item)}`
    }).join(', ')
  if (Array.isArray(Entries)) return Entries.map(({ MessageBody }) => MessageBody).join(', ')
  return text(Key ?? Item ?? name ?? Prefix ?? IndexName)
}
