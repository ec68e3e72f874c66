/** Functions and tasks: processes that run them one or several at a time, die at work, and lose their callers. */
import { mediaFunction } from '../../../local/handlers.ts'
import type { Service } from '../bundle.ts'
import type { Ports } from '../ports.ts'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import { Crashed, type Instance, type Schedule, type Task } from './schedule.ts'

interface FunctionsDeps {
  schedule: Schedule
  random: Random
  faults: Faults
  /** The service of a new process, with the clock of that process. */
  newService: (clock: () => number) => Service
  setTimeout: Ports['setTimeout']
  /** Adds a line to the story. */
  note: (line: string) => void
}

type Process = Instance & { service: Service; files: Map<string, Uint8Array> }

const minuteMs = 60_000
const functionMs = 60_000
const taskMarginMs = 10_000
const exitCodes = { done: 0, pending: 0, busy: 69, failed: 75 }

export function createFunctions({ schedule, random, faults, newService, setTimeout, note }: FunctionsDeps) {
  const { now } = schedule
  const instancesMax = random.integer(1, 3)
  /** How far the clock of a process may be wrong. */
  const skewMs = random.pick([0, 0, 500])
  let instances: Process[] = []
  let [crashes, taskIds, instanceIds] = [0, 0, 0]

  /** The clocks of two processes differ by a second at most. */
  function clockOfProcess(): () => number {
    const offsetMs = random.integer(-skewMs, skewMs)
    return () => now() + offsetMs
  }

  function instance(): Process {
    const free = instances.filter(({ isDead }) => !isDead)
    if (free.length >= instancesMax) return random.pick(free)
    const fresh = {
      id: ++instanceIds,
      tasks: new Set<Task>(),
      isDead: false,
      service: newService(clockOfProcess()),
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

  async function runCommand(command: readonly string[], timeoutMs: number, startedAt?: string) {
    const { outcome } = await call(
      `media ${command[0]}`,
      async ({ media }) => {
        const controller = new AbortController()
        setTimeout(() => controller.abort(new Error('The time is over.')), timeoutMs - taskMarginMs)
        return (await media()).runCommand(command, { signal: controller.signal, startedAt })
      },
      timeoutMs,
    )
    return outcome
  }

  /** The container as a function: what fails there, a task does. */
  async function invokeMedia({ command, startedAt }: { command: string[]; startedAt?: string }, timeoutMs: number) {
    const outcome = await awaited(runCommand(command, Math.max(timeoutMs, 2 * taskMarginMs), startedAt))
    if (outcome === 'done' || outcome === 'pending') return { outcome }
    throw Object.assign(new Error('The command failed.'), { name: outcome === 'busy' ? 'ProviderBusy' : 'TryAgain' })
  }

  return {
    call,
    context,
    crash,
    invoke,
    /** Invokes a function of the service, or the container as one. */
    invokeAny: async (name: string, payload: unknown, timeoutMs: number): Promise<unknown> =>
      name === mediaFunction
        ? invokeMedia(payload as { command: string[]; startedAt?: string }, timeoutMs)
        : invoke(name, payload, timeoutMs),
    /** Runs a command of the container as a task; the exit code. */
    async runTask(command: readonly string[], timeoutMs: number): Promise<number> {
      await schedule.sleep(random.integer(10_000, 60_000))
      return exitCodes[await runCommand(command, timeoutMs)]
    },
    /** The files of the process of the current task. */
    files: () => (schedule.currentTask.getStore()!.instance as Process).files,
    isIdle: () => instances.every(({ tasks }) => tasks.size === 0),
    statistics: () => ({ crashes, processes: instanceIds }),
  }
}
