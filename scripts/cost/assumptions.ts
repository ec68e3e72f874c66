/** Quantities of the bill that no benchmark on one machine can measure. Most are conservative; the size of the image is an estimate. */

const assumed = {
  megabytesOfCpu: {
    value: 1_769,
    means:
      'MB of memory at which a function has a whole vCPU (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html); with less memory it runs proportionally longer',
  },
  callMs: {
    value: 5,
    means: 'ms that a call to AWS takes longer than a call to the local emulator, counted as if calls never overlap',
  },
  taskStartSeconds: {
    value: 30,
    means: 's from the pull of the image, when billing starts, until a task starts its work',
  },
  taskSecondsMin: { value: 60, means: 's of billing for a task at least (https://aws.amazon.com/fargate/pricing/)' },
  armFactor: {
    value: 1.3,
    means:
      'times the measured time of media work on a Graviton processor of Lambda or Fargate, between 1.0 and 1.6; not measured',
  },
  mediaStartSeconds: {
    value: 0.8,
    means:
      's of INIT that an invocation of the media function bills on average: one in three is cold and takes 1 to 3 s; not measured',
  },
  coldStartSeconds: { value: 3, means: 's of a cold start of the media function, at most; not measured' },
  runSeconds: {
    value: 1,
    means: 's that a run takes around its worker: the outbox, the steps and the states; not measured',
  },
  endpointMs: { value: 300, means: 'ms until the endpoint of a subscriber responds' },
  platformMs: { value: 1_000, means: 'ms that a step of a posting takes longer on a platform than in the sandbox' },
  logBytesOfCall: { value: 1_200, means: 'bytes of log that Lambda and a function write per call' },
  logBytesOfState: { value: 2_500, means: 'bytes of log per state: its entry, its task and its exit, without data' },
  logBytesOfRequest: { value: 300, means: "bytes per line of the API's access log" },
  imageGigabytes: {
    value: 0.25,
    means:
      'GB of the compressed container image: an estimate, not measured; it may be 0.35. Each deployment of a new image adds the same',
  },
  idleGigabytes: { value: 0.001, means: 'GB in the table, and in each bucket, of an idle deployment' },
  pollsPerQueueAndMinute: {
    value: 15,
    means:
      'polls of an empty queue by Lambda per minute: five connections, 20 s each (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html)',
  },
  initMs: {
    value: 400,
    means:
      'ms of INIT that a cold start bills: the start of Node and the import of the bundle, of which only the import is measured (`npm run bench:cold`)',
  },
  metricsOfTasks: {
    value: 14,
    means:
      'metrics that Container Insights writes in an hour with tasks: eight of the cluster, six of the task definition; not verified',
  },
  eventUsdPerMillion: {
    value: 1,
    means: 'USD for a million notifications of S3 to EventBridge, at most: sources differ, and some call them free',
  },
  metricsOfIdleCluster: {
    value: 3,
    means: 'metrics that Container Insights writes for a cluster without tasks',
  },
} as const

type AssumptionName = keyof typeof assumed

export const assumptions = Object.fromEntries(
  Object.entries(assumed).map(([name, { value }]) => [name, value]),
) as Record<AssumptionName, number>

/** Values with their meanings, for the page. */
export const describedAssumptions: readonly { value: number; means: string }[] = Object.values(assumed)

export const minutesOfMonth = 43_800
