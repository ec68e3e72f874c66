/**
 * Measures: each is a line of the log in CloudWatch's embedded format, which CloudWatch counts by itself; beside the figure the line says
 * whose it is. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import { type Measurement, metrics } from './domain/records/metrics.ts'
import { env } from './env.ts'
import { log } from './log.ts'

/** Every metric is there for the deployment as a whole, and where it is measured `by` something, for each value of that too. */
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
