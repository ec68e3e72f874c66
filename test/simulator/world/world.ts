/**
 * One simulated deployment: functions of the service on ports in memory, and everything that calls them (stream, queues,
 * engine, schedules, storage events). Deterministic: the seed decides every latency, order and fault.
 */
import { duePartitions, outboxPrefix, sweptLanes } from '../../../lib/store/core/keys.ts'
import { mediaFunction, readStateMachines } from '../../../local/handlers.ts'
import type { Service, ServiceFactory } from '../bundle.ts'
import type { HttpRequest, Ports, Work } from '../ports.ts'
import { createEngine } from './engine.ts'
import { PortFailure } from './failure.ts'
import { type CallFault, createFaults, type Faults, type LikelyFaults } from './faults.ts'
import { createMonitor } from './monitor.ts'
import type { Random } from './random.ts'
import { Crashed, createSchedule, type Instance, type Task } from './schedule.ts'
import { createStorage } from './storage.ts'
import { cancelled, createTable, type StreamRecord } from './table.ts'

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

/** A request that reached a receiver of webhooks. */
export interface Received {
  at: number
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

const machines = readStateMachines()
const secret = JSON.stringify(
  Object.fromEntries(
    ['tiktok', 'youtube', 'instagram', 'twitter', 'facebook', 'linkedin', 'threads', 'pinterest', 'reddit'].map(
      (id) => [id, { id: 'client', secret: 'client-secret-of-the-deployment' }],
    ),
  ),
)

const shards = 2
const recordsPerBatch = 25
const recordAttemptsMax = 8
const readersMax = 4
const visibilityMs = 180_000
const receivesMax = 5
const messagesPerBatch = 10
const minuteMs = 60_000
const functionMs = 60_000
const tokenSweepMs = 15 * minuteMs
const taskMarginMs = 10_000

const writes = new Set(['Put', 'Update', 'Delete', 'TransactWrite'])

export function createWorld({ random, newService, startAt, disabledFaults, likelyFaults, onTrace }: WorldOptions) {
  const schedule = createSchedule(startAt)
  const { now } = schedule
  const faults: Faults = createFaults(random, disabledFaults, likelyFaults)
  /** How many entries of a batch are done. */
  const partOf = (entries: number) => (faults.happens('partialBatch') ? random.integer(0, entries - 1) : entries)
  const storage = createStorage(partOf)
  const monitor = createMonitor(schedule.now, () => schedule.currentTask.getStore())
  const logs: string[] = []
  const received: Received[] = []
  const posts: AcceptedPost[] = []
  const instancesMax = random.integer(1, 3)
  /** How far the clock of a process may be wrong. */
  const skewMs = random.pick([0, 0, 500])
  /** Milliseconds of a usual call. */
  const callMs = random.pick([2, 5, 20])
  let instances: (Instance & { service: Service; files: Map<string, Uint8Array> })[] = []
  let [hash, calls, crashes, taskIds, instanceIds] = [0, 0, 0, 0, 0]

  function note(line: string): void {
    for (let index = 0; index < line.length; index++) hash = (Math.imul(hash, 31) + line.charCodeAt(index)) | 0
    onTrace?.(`${((now() - startAt) / 1000).toFixed(3)} ${line}`)
  }

  // Functions

  /** The clocks of two processes differ by a second at most. */
  function clockOfProcess(): () => number {
    const offsetMs = random.integer(-skewMs, skewMs)
    return () => now() + offsetMs
  }

  function instance() {
    const free = instances.filter(({ isDead }) => !isDead)
    if (free.length >= instancesMax) return random.pick(free)
    const fresh = {
      id: ++instanceIds,
      tasks: new Set<Task>(),
      isDead: false,
      service: newService({ ...ports, now: clockOfProcess() }),
      files: new Map(),
    }
    instances = [...free, fresh]
    return fresh
  }

  function crash(target: Instance, reason = 'Crashed'): void {
    if (target.isDead) return
    target.isDead = true
    crashes++
    note(`crash of process ${target.id}`)
    for (const task of target.tasks) task.fail(Object.assign(new Crashed(reason), { name: reason }))
    instances = instances.filter(({ isDead }) => !isDead)
  }

  /** Runs a function in one of the processes. Rejects with `Crashed` where the process dies, as its caller sees it. */
  function call<Result>(
    name: string,
    run: (service: Service) => Promise<Result>,
    timeoutMs = functionMs,
  ): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const host = instance()
    const task: Task = { name, id: ++taskIds, instance: host, fail: reject }
    host.tasks.add(task)
    const endsAt = now() + timeoutMs
    schedule.at(endsAt, () => host.tasks.has(task) && crash(host, 'Sandbox.Timedout'))
    const settle = (end: () => void) => {
      if (host.isDead) return
      host.tasks.delete(task)
      end()
    }
    schedule.currentTask.run(task, () =>
      run(host.service).then(
        (result) => settle(() => resolve(result)),
        (error) => settle(() => reject(error)),
      ),
    )
    return promise
  }

  const context = (timeoutMs: number) => {
    const endsAt = now() + timeoutMs
    return { getRemainingTimeInMillis: () => endsAt - now(), awsRequestId: 'simulated' }
  }

  /** The answer, unless its caller gives up before. */
  async function awaited<Result>(running: Promise<Result>): Promise<Result> {
    if (!faults.happens('unawaited')) return running
    running.catch(() => {})
    await schedule.sleep(random.integer(20, 3_000))
    throw Object.assign(new Error('The connection broke off.'), { name: 'Lambda.SdkClientException' })
  }

  const downUntil = new Map<string, number>()

  /** Invokes a function, unless the service for functions fails. */
  async function invoke(name: string, event: unknown, timeoutMs = functionMs): Promise<unknown> {
    await schedule.sleep(random.longTailed(1, 50))
    if (faults.happens('functionDown')) downUntil.set(name, now() + random.integer(1, 10) * minuteMs)
    if (faults.happens('invocation') || (faults.isOn && now() < (downUntil.get(name) ?? 0)))
      throw Object.assign(new Error('The function could not be invoked.'), { name: 'Lambda.ServiceException' })
    const runMs = Math.min(timeoutMs, functionMs * 15)
    const result = await awaited(
      call(name, async ({ handlers }) => (await handlers[name]!()).handler(event, context(runMs)), runMs),
    )
    if (faults.happens('invocation'))
      throw Object.assign(new Error('The answer was lost.'), { name: 'Lambda.SdkClientException' })
    return result === undefined ? undefined : JSON.parse(JSON.stringify(result))
  }

  async function runCommand(command: readonly string[], timeoutMs: number, orderWaitMs?: number) {
    const { outcome } = await call(
      `media ${command[0]}`,
      async ({ media }) => {
        const controller = new AbortController()
        ports.setTimeout(() => controller.abort(new Error('The time is over.')), timeoutMs - taskMarginMs)
        return (await media()).runCommand(command, { signal: controller.signal, ...(orderWaitMs && { orderWaitMs }) })
      },
      timeoutMs,
    )
    return outcome
  }

  /** The container as a function: what fails there, a task does. */
  async function invokeMedia({ command }: { command: string[] }, timeoutMs: number) {
    const outcome = await awaited(runCommand(command, Math.max(timeoutMs, 2 * taskMarginMs), 5_000))
    if (outcome === 'done' || outcome === 'pending') return { outcome }
    throw Object.assign(new Error('The command failed.'), { name: outcome === 'busy' ? 'ProviderBusy' : 'TryAgain' })
  }

  const exitCodes = { done: 0, pending: 69, busy: 69, failed: 75 }

  const engine = createEngine(machines, {
    now,
    sleep: schedule.sleep,
    random: random.next,
    invoke: async (name, payload, timeoutMs) =>
      name === mediaFunction
        ? invokeMedia(payload as { command: string[] }, timeoutMs)
        : invoke(name, payload, timeoutMs),
    runTask: async (command, timeoutMs) => {
      await schedule.sleep(random.integer(10_000, 60_000))
      return exitCodes[await runCommand(command, timeoutMs)]
    },
    isLost: () => faults.happens('lostExecution'),
  })

  // Stream

  interface Record_ extends StreamRecord {
    id: number
  }
  const waiting: Record_[][] = Array.from({ length: shards }, () => [])
  const isPolled = new Array<boolean>(shards).fill(false)
  let recordIds = 0
  let records = 0

  function onRecord(record: StreamRecord): void {
    if (record.eventName !== 'INSERT' || !record.sk.startsWith(outboxPrefix)) return
    records++
    if (faults.happens('lostRecord')) return
    const shard = record.pk.charCodeAt(record.pk.length - 8) % shards
    waiting[shard]!.push({ ...record, id: ++recordIds })
    poll(shard)
  }

  function poll(shard: number): void {
    if (isPolled[shard]) return
    isPolled[shard] = true
    const lag = faults.happens('lateRecord') ? random.integer(1_000, 5 * minuteMs) : random.longTailed(20, 500)
    schedule.at(now() + lag, () => void dispatch(shard))
  }

  /** A batch until all of it is done, or given up: later records of the shard wait. */
  async function dispatch(shard: number): Promise<void> {
    let batch = waiting[shard]!.splice(0, recordsPerBatch)
    for (let attempt = 0; batch.length > 0 && attempt <= recordAttemptsMax; attempt++) {
      const sent = faults.happens('duplicateRecord') ? [...batch, ...batch] : batch
      const event = {
        Records: sent.map(({ id, eventName, pk, sk }) => ({
          eventName,
          dynamodb: { SequenceNumber: String(id), Keys: { pk: { S: pk }, sk: { S: sk } } },
        })),
      }
      // A stream that changes its readers gives a batch to several at once.
      for (let readers = 1; readers < readersMax && faults.happens('duplicateRecord'); readers++)
        schedule.at(
          now() + random.integer(0, 3_000),
          () => void invoke('workers/dispatch-outbox', event).catch(() => {}),
        )
      const result = (await invoke('workers/dispatch-outbox', event).catch(() => undefined)) as
        | { batchItemFailures: { itemIdentifier: string }[] }
        | undefined
      const failed = result ? result.batchItemFailures[0]?.itemIdentifier : String(batch[0]!.id)
      batch = failed === undefined ? [] : batch.slice(batch.findIndex(({ id }) => String(id) === failed))
      if (batch.length > 0) await schedule.sleep(random.integer(100, 2_000) * (attempt + 1))
    }
    isPolled[shard] = false
    if (waiting[shard]!.length > 0) poll(shard)
  }

  const table = createTable({
    now,
    indexLag: () => (faults.happens('staleIndex') ? random.integer(10, 3_000) : 0),
    isStale: () => faults.happens('staleRead'),
    partOf,
    onRecord,
    onWrite: monitor.onWrite,
  })

  // Queues

  interface Message {
    id: number
    queue: string
    body: string
    visibleAt: number
    receives: number
    isDone: boolean
  }
  const messages = new Set<Message>()
  let messageIds = 0

  function enqueue(
    queue: string,
    { MessageBody, DelaySeconds = 0 }: { MessageBody: string; DelaySeconds?: number },
  ): void {
    if (DelaySeconds > 900) throw new PortFailure('InvalidParameterValue', 'DelaySeconds is at most 900.')
    const message = {
      id: ++messageIds,
      queue,
      body: MessageBody,
      visibleAt: now() + DelaySeconds * 1000,
      receives: 0,
      isDone: false,
    }
    messages.add(message)
    receiveAt(message, message.visibleAt)
  }

  const receiveAt = (message: Message, at: number) =>
    schedule.at(at + random.longTailed(5, 1_000), () => void receive(message))

  async function receive(first: Message): Promise<void> {
    if (first.isDone || first.visibleAt > now()) return
    const visible = [...messages].filter((one) => one !== first && one.queue === first.queue && one.visibleAt <= now())
    const batch = [first, ...random.shuffled(visible).slice(0, random.integer(0, messagesPerBatch - 1))]
    for (const message of batch) {
      message.receives++
      // A message may be delivered again while another worker has it.
      message.visibleAt = now() + (faults.happens('duplicateMessage') ? random.integer(0, 3_000) : visibilityMs)
      receiveAt(message, message.visibleAt)
    }
    const event = { Records: random.shuffled(batch).map(({ id, body }) => ({ messageId: String(id), body })) }
    const result = (await invoke('workers/deliver-webhook', event, 30_000).catch(() => undefined)) as
      | { batchItemFailures: { itemIdentifier: string }[] }
      | undefined
    const failed = new Set(result?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    for (const message of batch) {
      const isHandled = result !== undefined && !failed.has(String(message.id))
      if (!isHandled && message.receives < receivesMax) continue
      message.isDone = true
      messages.delete(message)
    }
  }

  // Schedules

  const schedules = new Set<string>()

  function createScheduleOnce({
    Name,
    ScheduleExpression,
    Target,
  }: {
    Name: string
    ScheduleExpression: string
    Target: { Input: string }
  }) {
    if (schedules.has(Name)) throw new PortFailure('ConflictException', 'The schedule exists.')
    schedules.add(Name)
    const at = Date.parse(`${/^at\((.*)\)$/.exec(ScheduleExpression)![1]}Z`)
    const times = faults.happens('scheduleLost') ? 0 : faults.happens('scheduleTwice') ? 2 : 1
    for (let time = 0; time < times; time++) {
      const late = faults.happens('scheduleLate') ? random.integer(0, 40 * minuteMs) : random.integer(0, 1_000)
      schedule.at(at + late, () => void invoke('workers/run-due-slot', JSON.parse(Target.Input)).catch(() => {}))
    }
    return {}
  }

  const swept = new Set(duePartitions(sweptLanes))
  const refreshed = new Set(duePartitions(['tokens']))
  const running = { sweep: 0, refresh: 0 }

  /** A sweep with nothing due would find nothing: the next one is that of the first due row. */
  function sweepAt(kind: 'sweep' | 'refresh', everyMs: number, at: number): void {
    schedule.at(at, async () => {
      const due = table.nextDue((shard) => (kind === 'sweep' ? swept : refreshed).has(shard))
      if (due !== undefined && due < now() && !faults.happens('sweepLost')) {
        const times = faults.happens('sweepTwice') ? 2 : 1
        for (let time = 0; time < times; time++) {
          running[kind]++
          void invoke(
            kind === 'sweep' ? 'workers/sweep' : 'workers/refresh-tokens',
            {},
            kind === 'sweep' ? 60_000 : 180_000,
          )
            .catch(() => {})
            .finally(() => running[kind]--)
        }
      }
      const next = Math.ceil(Math.max(now() + 1, due ?? 0) / everyMs) * everyMs
      sweepAt(kind, everyMs, due === undefined ? now() + everyMs : Math.max(next, now() + 1))
    })
  }

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
    queue: {
      SendMessageBatch: ({
        QueueUrl,
        Entries,
      }: {
        QueueUrl: string
        Entries: { Id: string; MessageBody: string }[]
      }) => {
        const done = Entries.slice(0, partOf(Entries.length))
        for (const entry of done) enqueue(QueueUrl, entry)
        const Failed = Entries.slice(done.length).map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' }))
        return Failed.length > 0 ? { Failed } : {}
      },
    },
    engine: engine.operations,
    schedules: { CreateSchedule: createScheduleOnce },
    keys: keysOfSecrets,
    secrets: {
      GetSecretValue: ({ SecretId }: { SecretId: string }) => ({
        SecretString: SecretId.includes('clients') ? secret : '{}',
      }),
    },
  }

  /** Does what a task asked for. */
  const perform = (task: Task | undefined, service: string, operation: string, input: unknown): unknown =>
    schedule.currentTask.run(task!, () => services[service]![operation]!(input as never))

  function announceUpload(key: string): void {
    if (faults.happens('uploadEventLost')) return
    schedule.at(
      now() + random.longTailed(50, 5_000),
      () => void invoke('workers/receive-upload', { detail: { object: { key } } }).catch(() => {}),
    )
  }

  /** The failure that the caller sees; undefined where the call happens. */
  function failureOf(fault: CallFault | undefined, operation: string, input: unknown): PortFailure | undefined {
    const token = tokenOf(input)
    if (inProgress.has(token))
      return new PortFailure(
        'TransactionInProgressException',
        'The transaction with the given token is already in progress',
      )
    if (table.isCommitted(token)) return undefined
    const held = conflictOf(operation, input, (key) => inProgress.values().some((keys) => keys.has(key)))
    if (held) return held
    if (fault === 'throttled') return new PortFailure('ThrottlingException', 'Rate exceeded')
    if (fault !== 'conflict') return undefined
    const { TransactItems = [] } = input as { TransactItems?: unknown[] }
    const hit = random.integer(0, Math.max(TransactItems.length - 1, 0))
    return conflictOf(operation, input, (_key, index) => index === hit)
  }

  /** Tokens of transactions that are under way after their first callers have given up. */
  const inProgress = new Map<string, ReadonlySet<string>>()

  function happenLate(
    task: Task | undefined,
    service: string,
    operation: string,
    input: unknown,
    delayMs: number,
  ): void {
    const token = tokenOf(input)
    if (token) inProgress.set(token, new Set(keysOf(input)))
    schedule.at(now() + delayMs, () => {
      inProgress.delete(token)
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
    files: () => (schedule.currentTask.getStore()!.instance as (typeof instances)[number]).files,
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
      signal?.addEventListener(
        'abort',
        () => reject(Object.assign(new PortFailure('AbortError', 'Aborted'), { cause: signal.reason })),
        { once: true },
      )
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
          return host && crash(host)
        }
        if (fault === 'unsent') {
          note(title())
          return reply(timeOut, timeoutMs)
        }
        if (fault === 'late' && !inProgress.has(tokenOf(input))) {
          note(title())
          happenLate(task, service, operation, input, timeoutMs + random.integer(1, 5_000))
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
    http: (request) => receiveRequest(request),
    work: ({ name, ms }) => doWork(name, ms),
    platform: (operation, post) => askPlatform(operation, post),
  }

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
      received.push({ at: now(), url, deliveryId, body, headers, status: isUnanswered ? null : status, dueAt })
      note(`receiver ${status}${isUnanswered ? ' unanswered' : ''}`)
      if (isSilent) {
        await schedule.sleep(deadlineMs)
        throw new PortFailure('timeout', `No complete response within ${deadlineMs} ms.`)
      }
      if (isUnanswered) {
        await schedule.sleep(random.integer(100, deadlineMs))
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

  const askPlatform: Ports['platform'] = (operation, { account = '', post = '' }) =>
    forTask(async () => {
      await schedule.sleep(random.longTailed(20, 2_000))
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
      if (operation === 'lookUp')
        return { externalId: posts.find((one) => one.post === post && one.account === account)?.externalId ?? null }
      if (operation !== 'publish') return { externalId: null }
      const isUnanswered = faults.happens('platformDies')
      const isAccepted = !isUnanswered || random.chance(0.7)
      const externalId = `post-${posts.length + 1}`
      if (isAccepted) posts.push({ at: now(), account, post, externalId })
      note(`platform publish ${isAccepted ? externalId : 'lost'}${isUnanswered ? ' unanswered' : ''}`)
      if (isUnanswered) throw new PortFailure('NoAnswer', 'The platform did not answer.')
      return { externalId }
    })

  let pendingClients = 0
  return {
    schedule,
    faults,
    table,
    storage,
    monitor,
    engine,
    received,
    posts,
    logs,
    ports,
    call,
    context,
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
      services.storage!.PutObject!({ Key: key, Body: body, ContentType: contentType } as never)
    },
    startSweeping(): void {
      sweepAt('sweep', minuteMs, now() + random.integer(0, minuteMs))
      sweepAt('refresh', tokenSweepMs, now() + tokenSweepMs)
    },
    expire(): void {
      table.expire()
    },
    /** Whether nothing is under way, and nothing will be before `horizon`. */
    isQuiet(horizon: number): boolean {
      if (pendingClients > 0 || messages.size > 0 || running.sweep + running.refresh > 0) return false
      if (waiting.some(({ length }) => length > 0) || isPolled.some(Boolean)) return false
      if (instances.some(({ tasks }) => tasks.size > 0)) return false
      if (engine.executions().some(({ status }) => status === 'RUNNING')) return false
      const due = table.nextDue((shard) => swept.has(shard) || refreshed.has(shard))
      return due === undefined || due > horizon
    },
    statistics: () => ({
      calls,
      crashes,
      events: schedule.events,
      records,
      messages: messageIds,
      processes: instanceIds,
    }),
    hash: () => (hash >>> 0).toString(16),
  }
}

const tokenOf = (input: unknown) => (input as { ClientRequestToken?: string }).ClientRequestToken ?? ''

/** The items that a write touches. */
function keysOf(input: unknown): string[] {
  const { TransactItems } = input as { TransactItems?: Record<string, object>[] }
  const writes = TransactItems?.map((item) => Object.values(item)[0]!) ?? [input as object]
  return writes.map((write) => {
    const { Key, Item } = write as Record<'Key' | 'Item', object | undefined>
    const { pk, sk } = (Key ?? Item ?? {}) as { pk?: string; sk?: string }
    return `${pk} ${sk}`
  })
}

/** The failure of a write that meets another transaction at the items that are hit; undefined where none is. */
function conflictOf(
  operation: string,
  input: unknown,
  isHit: (key: string, index: number) => boolean,
): PortFailure | undefined {
  if (!writes.has(operation)) return undefined
  const hits = keysOf(input).map(isHit)
  if (!hits.includes(true)) return undefined
  return operation === 'TransactWrite'
    ? cancelled(hits.map((hit) => ({ Code: hit ? 'TransactionConflict' : 'None' })))
    : new PortFailure('TransactionConflictException', 'Transaction is ongoing for the item')
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
