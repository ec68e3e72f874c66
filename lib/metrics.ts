/**
 * Metrics, emitted as log lines in CloudWatch's embedded metric format; a line also carries the ids of the log context.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import { type Measurement, metrics } from './domain/records/metrics.ts'
import { env } from './env.ts'
import { log } from './log.ts'

/**
 * Each metric has the dimension `deployment` and, if `by` is given, a second set with the dimensions of `by` as well.
 */
export function emitMetric({ name, value, by = {} }: Measurement): void {
  const whole = ['deployment']
  const parts = Object.keys(by)
  log.info('measured', {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'Reelsmith',
          Dimensions: parts.length > 0 ? [whole, [...whole, ...parts]] : [whole],
          Metrics: [{ Name: name, Unit: metrics[name] }],
        },
      ],
    },
    ...by,
    deployment: env.deployment(),
    [name]: value,
  })
}
