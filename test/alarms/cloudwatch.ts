/**
 * The part of CloudWatch that alarms need: metrics from log lines in the embedded metric format, metric filters, and the
 * evaluation of synthesized alarms. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html
 */

export interface Datum {
  namespace: string
  name: string
  dimensions: Readonly<Record<string, string>>
  value: number
  at: number
}

/** The properties of an AWS::CloudWatch::Alarm that decide when it is raised. */
export interface AlarmProperties {
  AlarmName: string
  Namespace: string
  MetricName: string
  Dimensions?: { Name: string; Value: unknown }[]
  Statistic: 'Sum' | 'Maximum'
  Period: number
  EvaluationPeriods: number
  DatapointsToAlarm?: number
  Threshold: number
  ComparisonOperator: 'GreaterThanOrEqualToThreshold' | 'LessThanThreshold'
  TreatMissingData: 'breaching' | 'notBreaching'
}

interface EmbeddedMetrics {
  Timestamp: number
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[]
}

/** One datum for each metric and each of its sets of dimensions. */
export function embeddedMetrics(line: string): Datum[] {
  const { _aws, ...fields } = JSON.parse(line) as { _aws?: EmbeddedMetrics } & Record<string, unknown>
  if (!_aws) return []
  return _aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      Dimensions.map((names) => ({
        namespace: Namespace,
        name: Name,
        dimensions: Object.fromEntries(names.map((name) => [name, String(fields[name])])),
        value: fields[Name] as number,
        at: _aws.Timestamp,
      })),
    ),
  )
}

/**
 * Whether a pattern of the form `{ ($.field = "5*") && ($.other != "503") }` selects a line.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function isSelected(pattern: string, line: Readonly<Record<string, string>>): boolean {
  const terms = pattern.replace(/^\{|\}$/g, '').split('&&')
  return terms.every((term) => {
    const parts = /^\s*\(\$\.(\w+) (=|!=) "([^"]*)"\)\s*$/.exec(term)
    if (!parts) throw new Error(`No term of a filter pattern: ${term}`)
    const [, field, operator, wanted] = parts as unknown as [string, string, string, string]
    const value = line[field] ?? ''
    const isEqual = wanted.endsWith('*') ? value.startsWith(wanted.slice(0, -1)) : value === wanted
    return isEqual === (operator === '=')
  })
}

/** The minutes, counted from `from`, at which the alarm is in the state ALARM. */
export function minutesInAlarm(
  alarm: AlarmProperties,
  data: readonly Datum[],
  { from, to }: { from: number; to: number },
): number[] {
  const wanted = Object.fromEntries((alarm.Dimensions ?? []).map(({ Name, Value }) => [Name, Value]))
  const own = data.filter(
    ({ namespace, name, dimensions }) =>
      namespace === alarm.Namespace && name === alarm.MetricName && isSameRecord(dimensions, wanted),
  )
  const periodMs = alarm.Period * 1000
  const isBreaching = (end: number): boolean => {
    const values = own.filter(({ at }) => at >= end - periodMs && at < end).map(({ value }) => value)
    if (values.length === 0) return alarm.TreatMissingData === 'breaching'
    const value = alarm.Statistic === 'Sum' ? values.reduce((sum, one) => sum + one) : Math.max(...values)
    return alarm.ComparisonOperator === 'LessThanThreshold' ? value < alarm.Threshold : value >= alarm.Threshold
  }
  const inAlarm: number[] = []
  for (let minute = 1; from + minute * 60_000 <= to; minute++) {
    const ends = Array.from(
      { length: alarm.EvaluationPeriods },
      (_, index) => from + minute * 60_000 - index * periodMs,
    )
    // Before the deployment there was nothing to evaluate.
    const breaching = ends.filter((end) => end > from && isBreaching(end)).length
    if (breaching >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods)) inAlarm.push(minute)
  }
  return inAlarm
}

const isSameRecord = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => JSON.stringify(other[name]) === JSON.stringify(value))
