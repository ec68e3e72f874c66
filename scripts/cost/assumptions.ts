/** What the bill needs and no benchmark on this machine can tell. Most err on the dear side; the size of the image is an estimate. */

const assumed = {
  megabytesOfCpu: {
    value: 1_769,
    means:
      'MB of memory with which a function gets a whole vCPU (https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html); with less it takes as much longer',
  },
  callMs: {
    value: 5,
    means: 'ms that a call to AWS takes longer than to the emulator beside the function, as if none ran beside another',
  },
  taskStartSeconds: {
    value: 30,
    means: 's from the pull of the image, when the bill begins, until a task begins to work',
  },
  taskSecondsMin: { value: 60, means: 's that a task is billed at least (https://aws.amazon.com/fargate/pricing/)' },
  endpointMs: { value: 300, means: 'ms that the endpoint of a subscriber takes to answer' },
  platformMs: { value: 1_000, means: 'ms that a step of a posting takes longer at a platform than at the sandbox' },
  logBytesOfCall: { value: 1_200, means: 'bytes that Lambda and a function write about a call' },
  logBytesOfState: { value: 2_500, means: 'bytes about a state: its entering, its task and its leaving, without data' },
  logBytesOfRequest: { value: 300, means: "bytes of a line of the API's access log" },
  imageGigabytes: {
    value: 0.25,
    means:
      "GB of the container's image, compressed: an estimate, not weighed; it may be 0.35. Each deployment of a new one adds as much",
  },
  idleGigabytes: { value: 0.001, means: 'GB in the table, and in each bucket, of a deployment that nobody uses' },
  pollsPerQueueAndMinute: {
    value: 15,
    means:
      'times that Lambda asks an empty queue: five connections, 20 s each (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html)',
  },
  metricsOfIdleCluster: {
    value: 3,
    means: 'metrics that Container Insights writes of a cluster in which nothing runs',
  },
} as const

type AssumptionName = keyof typeof assumed

export const assumptions = Object.fromEntries(
  Object.entries(assumed).map(([name, { value }]) => [name, value]),
) as Record<AssumptionName, number>

/** With their meanings, for the page. */
export const describedAssumptions: readonly { value: number; means: string }[] = Object.values(assumed)

export const minutesOfMonth = 43_800
