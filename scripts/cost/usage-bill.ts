/** Converts measured usage of functions and tasks into billed quantities. */
import type { Usage, UsageByName } from '../../bench/usage/meter.ts'
import { assumptions } from './assumptions.ts'
import { addBills, type Bill } from './bill.ts'
import type { Sizes } from './templates.ts'

const gigabyte = 1024 ** 3
const callsIn = ({ calls }: Usage) => Object.values(calls).reduce((sum, count) => sum + count, 0)
const callsOf = ({ calls }: Usage, pattern: RegExp) =>
  Object.entries(calls).reduce((sum, [name, count]) => sum + (pattern.test(name) ? count : 0), 0)

export function usageBill(used: UsageByName, sizes: Sizes): Bill {
  return addBills(
    ...Object.entries(used).map(([name, usage]) => addBills(billOfRuns(name, usage, sizes), billOfCalls(usage))),
  )
}

function billOfRuns(name: string, usage: Usage, sizes: Sizes): Bill {
  if (name.startsWith('container/')) return billOfMediaFunctions(usage, sizes)
  const megabytes = sizes.functions.get(name.replaceAll('/', '-'))
  if (!megabytes) throw new Error(`The deployment has no function ${name}.`)
  const { runs, ms } = usage
  const { megabytesOfCpu, callMs, logBytesOfCall, logBytesOfRequest } = assumptions
  const seconds = (ms * Math.max(megabytesOfCpu / megabytes, 1) + callsIn(usage) * callMs) / 1000
  const logged = runs * (logBytesOfCall + (name.startsWith('api/') ? logBytesOfRequest : 0))
  return {
    lambdaRequest: runs,
    lambdaSecond: (seconds * megabytes) / 1024,
    logWritten: logged / gigabyte,
    ...(name.startsWith('api/') ? { apiRequest: runs } : {}),
  }
}

/** The additional time of calls that wait for another service, which the bench does not measure. */
export function waitingBill(name: string, usage: Usage | undefined, ms: number, sizes: Sizes): Bill {
  const megabytes = sizes.functions.get(name.replaceAll('/', '-'))
  if (!usage || !megabytes) throw new Error(`The usage bench has no figures for ${name}.`)
  return { lambdaSecond: (usage.runs * ms * megabytes) / 1024 / 1000 }
}

function billOfMediaFunctions(usage: Usage, sizes: Sizes): Bill {
  const seconds = usage.ms / 1000 + (callsIn(usage) * assumptions.callMs) / 1000
  return mediaFunctionBill(seconds, sizes, usage.runs)
}

/** Invocations of the media function that keep both processors of the measured machine busy for `seconds` in total. */
export function mediaFunctionBill(seconds: number, { mediaFunction: { megabytes } }: Sizes, invocations = 1): Bill {
  const { armFactor, megabytesOfCpu, mediaStartSeconds, logBytesOfCall } = assumptions
  const worked = (seconds * measuredCpus * armFactor * megabytesOfCpu) / megabytes
  return {
    lambdaRequest: invocations,
    lambdaSecond: ((worked + invocations * mediaStartSeconds) * megabytes) / 1024,
    logWritten: (invocations * logBytesOfCall) / gigabyte,
  }
}

/** Of the machine on which the benches run. */
export const measuredCpus = 2

/** One task, for work that keeps both processors of the measured machine busy for `seconds`. */
export function taskBill(seconds: number, sizes: Sizes): Bill {
  const worked = (seconds * measuredCpus * assumptions.armFactor) / sizes.task.cpus
  return taskSecondsBill(Math.max(assumptions.taskStartSeconds + worked, assumptions.taskSecondsMin), sizes)
}

export const taskSecondsBill = (seconds: number, { task }: Sizes): Bill => ({
  taskCpu: seconds * task.cpus,
  taskMemory: seconds * task.gigabytes,
  taskDisk: seconds * Math.max(task.gigabytesOfDisk - 20, 0),
  publicAddress: seconds,
})

const billOfCalls = (usage: Usage): Bill => ({
  tableRead: usage.read,
  tableWrite: usage.write,
  objectWrite: callsOf(usage, /^S3\.(PUT|POST)$/),
  objectRead: callsOf(usage, /^S3\.(GET|HEAD)$/),
  // Secrets Manager calls KMS for each secret that it reads.
  keyRequest: callsOf(usage, /^(?:KMS|SecretsManager)\./),
  secretRequest: callsOf(usage, /^SecretsManager\./),
  // Each message is sent, received and deleted.
  queueRequest: callsOf(usage, /^SQS\./) * 3,
})

/** One traced execution. */
export const transitionBill = (transitions: number): Bill => ({
  transition: transitions,
  trace: 1,
  logWritten: (transitions * assumptions.logBytesOfState) / gigabyte,
})
