/** Writes docs/operations/cost.md: a summary table, then the composition of each line. */
import { pollWaitSeconds } from '../../lib/domain/publishing/poll-backoff.ts'
import { apiFunctions } from '../../lib/infra/api-functions.ts'
import { markdownTable } from '../markdown-table.ts'
import { assumptions, describedAssumptions, minutesOfMonth } from './assumptions.ts'
import { addBills, type Bill, billTotal, billTotalBeyondFreeTier, linesOf, usdOf } from './bill.ts'
import { type CostItem, type CostItems, type MeasuredResults, monthAssumptions } from './items.ts'
import { awsPrices, type ListPrice, type PriceName, priceList } from './prices.ts'
import { functionSizesMb, renderGoals } from './render-goals.ts'
import { happyPath, postingTransitions } from './state-paths.ts'
import { vendorLines } from './vendors.ts'

/** The limit for an idle month before the first rotation of the key. */
export const idleUsdMax = 2

export function costPage(items: CostItems, measured: MeasuredResults): string {
  const parts = [
    '# Costs',
    'Written by `npm run cost`; do not edit.',
    `In US dollars at the list prices of ${priceList.region} on ${priceList.date}, without tax. Measurements are in
[bench/results](../../bench/results), prices in [scripts/cost/prices.ts](../../scripts/cost/prices.ts); the idle resources come from the
synthesised templates. The AWS free tier is deducted only where stated.`,
    summary(items),
    ...monthSection(items),
    ...goalSection(items, measured),
    '## How each line is composed',
    'Parts below 1 % of a line are omitted.',
    ...[...items.calls.map(asCalls), ...items.work, ...items.storage].map(account),
    ...idleSection(items.idle),
    ...vendorSection(measured),
    ...traps(items, measured),
    ...sources(measured),
  ]
  return `${parts.join('\n\n')}\n`
}

const asCalls = ({ name, bill }: CostItem): CostItem => ({ name: `1,000 API calls: ${name}`, bill })

function summary({ calls, work, storage, idle: idleIn }: CostItems): string {
  const idle = idleIn(1)
  const row = ({ name, bill }: CostItem) => [name, usd(billTotal(bill)), dominant(bill)]
  const idleRow = [
    `**an idle month** in the first ${yearsBeforeRotation(idleIn)} years, after the free tier`,
    `**${digits(billTotalBeyondFreeTier(idle), 3)}**`,
    dominant(beyondFree(idle)),
  ]
  return markdownTable(['', 'USD', 'largest part'], [...[...calls.map(asCalls), ...work, ...storage].map(row), idleRow])
}

function monthSection({ months, idle }: CostItems): string[] {
  const whole = (value: number) => value.toFixed(value < 10 ? 1 : 0)
  const rows = months.map(({ videos, views, bill }) => {
    const month = addBills(bill, idle(1))
    const sums = [billTotal(month), billTotalBeyondFreeTier(month)].map(whole)
    return [`${quantity(videos)} videos and ${quantity(views)} views`, ...sums, dominant(month)]
  })
  const { readsPerVideo, deliveriesPerVideo } = monthAssumptions
  return [
    '## A month',
    `Each video is one minute long, generated with the built-in providers, rendered, published to one account and stored for the month; its client polls
it ${readsPerVideo} times and gets ${deliveriesPerVideo} webhooks. Views are those of the media URLs, not those on platforms. An idle month is included, vendors are not:
with one, add its [price per minute](#vendors) for each video.`,
    markdownTable(['', 'USD', 'USD after the free tier', 'largest part'], rows),
  ]
}

/** Goals beside figures: none of those on paper was measured in AWS. */
function goalSection(items: CostItems, measured: MeasuredResults): string[] {
  const seconds = (value: number) => `${value.toFixed(1)} s`
  const verdict = (value: number, max: number, text: string) => (value <= max ? text : `${text}, **missed**`)
  const rows = renderGoals(items, measured).map(
    ({ name, secondsMax, usdMax, paperSeconds, paperUsd, measuredSeconds }) => [
      name,
      usdMax === undefined ? `${secondsMax} s` : `${secondsMax} s, ${usd(usdMax)}`,
      ...functionSizesMb.map((megabytes) =>
        verdict(paperSeconds[megabytes], secondsMax, seconds(paperSeconds[megabytes])),
      ),
      paperUsd === undefined || usdMax === undefined ? '' : verdict(paperUsd, usdMax, usd(paperUsd)),
      measuredSeconds === undefined ? '' : seconds(measuredSeconds),
    ],
  )
  const sizes = functionSizesMb.map((megabytes) => `on paper: ${quantity(megabytes)} MB`)
  return [
    '## Seconds until a video: goals',
    `From the request to the result, with media work in [functions](../decisions/0043-lanes.md). *On paper* is computed for AWS: the measured seconds, by the factors and
start-up times of the [assumptions](#assumptions), on the processors that the memory of the media function gives; the USD are those of the lines below. No figure on paper was
measured in AWS. *Measured* is the local run on the [machine of the benches](benchmarks.md), whose workers start faster than in AWS; a video of 30 s is the renderer alone, and the minute that is generated and rendered the sum
of two benches. Parallel functions and cold starts exist only in AWS, so these cases have no measured figure. Another renderer is
compared only with the same video on the same machine ([benchmarks](benchmarks.md)).`,
    markdownTable(['', 'goal, at most', ...sizes, 'on paper: USD', 'measured'], rows),
  ]
}

/** Years until the first billed rotation of the key. */
function yearsBeforeRotation(idle: CostItems['idle']): number {
  // The longest rotation period of KMS is seven years.
  const years = [1, 2, 3, 4, 5, 6, 7, 8].findIndex((year) => idle(year).keyRotation)
  if (years < 0) throw new Error('The key is not rotated.')
  return years
}

const account = ({ name, bill }: CostItem): string => {
  const whole = billTotal(bill)
  const parts = linesOf(bill)
    .filter(([line, amount]) => usdOf(line, amount) >= whole / 100)
    .map(([line, amount]) => `${quantity(amount)} × ${awsPrices[line].per} = ${usd(usdOf(line, amount))}`)
  return `**${name}**: ${parts.join('; ')}.`
}

function dominant(bill: Bill): string {
  const [first] = linesOf(bill)
  if (!first) return ''
  const share = Math.round((100 * usdOf(...first)) / billTotal(bill))
  return `${awsPrices[first[0]].per} (${share} %)`
}

function beyondFree(bill: Bill): Bill {
  return Object.fromEntries(
    linesOf(bill).map(([name, amount]) => {
      const { free = 0 }: ListPrice = awsPrices[name]
      return [name, Math.max(amount - free, 0)]
    }),
  )
}

function idleSection(idleIn: CostItems['idle']): string[] {
  const idle = idleIn(1)
  const usdBeyondFree = billTotalBeyondFreeTier(idle)
  const used = linesOf(idle).filter(([, amount]) => amount > 0)
  const rows = used.map(([name, amount]) => {
    const { free, per }: ListPrice = awsPrices[name]
    const beyond = usdOf(name, Math.max(amount - (free ?? 0), 0))
    return [per, quantity(amount), free === undefined ? '' : quantity(free), usd(usdOf(name, amount)), usd(beyond)]
  })
  const sums = ['**total**', '', '', `**${usd(billTotal(idle))}**`, `**${digits(usdBeyondFree, 3)}**`]
  return [
    '## An idle month',
    `The bill covers every resource of the templates ([scripts/cost/idle-bill.ts](../../scripts/cost/idle-bill.ts)); a resource type without a known price fails
the command. The last column is the cost of a deployment in an account that holds nothing else. A test keeps it under ${idleUsdMax} USD; the margin is
${(idleUsdMax - usdBeyondFree).toFixed(3)} USD, less than the uncertainty of the estimates. It holds for ${yearsBeforeRotation(idleIn)} years, until the first rotation of the key
([0033](../decisions/0033-key-rotation.md)).
A second deployment in the same account shares the free tier.`,
    markdownTable(['', 'used', 'free', 'USD', 'USD after the free tier'], [...rows, sums]),
  ]
}

function vendorSection({ generate }: MeasuredResults): string[] {
  const { pictures } = generate.figures.ai_image
  const rows = vendorLines(pictures).map(({ capability, vendor, usd: price, priceText, times, of }) => [
    `\`${capability}\``,
    vendor,
    priceText,
    `${times} ${of}`,
    usd(price * times),
  ])
  return [
    '## Vendors',
    `The additional cost of a generated minute with each vendor; [providers.md](../guides/providers.md) has the sources of the prices. An animated or
presenter minute assumes that every second is animated or spoken to the camera; most videos use a fraction of that.`,
    markdownTable(['', 'vendor', 'price', 'per minute', 'USD'], rows),
  ]
}

/** A post that the platform processes for this long, polled every 5 s at first. */
const slowSeconds = 15 * 60

function pollsWithin(seconds: number): number {
  let polls = 0
  for (let age = 0; age < seconds; polls++) age += pollWaitSeconds(5, age, seconds)
  return polls
}

function traps({ work, storage, idle: idleIn }: CostItems, { usage, render }: MeasuredResults): string[] {
  const idle = idleIn(1)
  const { sweep, render: film } = usage.figures
  const { filmSeconds, film: shortFilm, edit } = render.figures
  const shards = (sweep.used['workers/sweep']?.calls['DynamoDB.Query'] ?? 0) / sweep.ticks
  const { write = 0, calls = {} } = film.used['container/render-video'] ?? {}
  const of = (name: RegExp) => usd(billTotal(work.find((item) => name.test(item.name))!.bill))
  const { taskStartSeconds, taskSecondsMin, initMs, metricsOfTasks, eventUsdPerMillion } = assumptions
  const init = usdOf('lambdaSecond', initMs / 1000)
  // One processor for a second, with the memory that it comes with.
  const functionSecondUsd = usdOf('lambdaSecond', assumptions.megabytesOfCpu / 1024)
  const taskSecondUsd = usdOf('taskCpu', 1) + usdOf('taskMemory', 2)
  const { objectWrite: puts = 0 } = storage.find(({ name }) => name.startsWith('a video of one minute'))!.bill
  const slowPolls = pollsWithin(slowSeconds)
  const pollsUsd = (polls: number) => usd(usdOf('transition', postingTransitions(polls)))
  const idleUsd = (year: number) => digits(billTotalBeyondFreeTier(idleIn(year)), 3)
  const line = (name: PriceName) => usd(usdOf(name, idle[name] ?? 0))
  return [
    '## Hidden costs',
    [
      `- **A task is billed for at least one minute.** A video of ${filmSeconds.film} s renders in ${shortFilm.wallSeconds.toFixed(1)} s, an edit in ${edit.wallSeconds.toFixed(1)} s; with ${taskStartSeconds} s of start-up a task for either is billed as ${taskSecondsMin} s. A function is billed by the millisecond: an edited word costs ${of(/edited/)} there and ${of(/edit in a task/)} in a task. Work of more than a minute is cheaper in a task, by ${Math.round(100 * (1 - taskSecondUsd / functionSecondUsd))} % for each processor, and takes as long as one task needs. The table counts media work in functions, except where it says otherwise.`,
      `- **Empty queues are polled**: ${line('queueRequest')} a month before the free tier. Each further queue with a worker adds half of that.`,
      `- **States**: a generation passes ${happyPath('generate').length}, a render ${happyPath('render').length}, a publication ${happyPath('publish').length} and three per step and account (${of(/one account/)} in total). Most of those transitions poll a platform.`,
      `- **Segments**: rendering ${Math.round(film.seconds)} s of video took ${calls['S3.PUT']} PUTs, ${calls['S3.GET']} GETs and ${write} write units, since segments are counted before they are stored, a batch in each transaction. Segments are half of the storage of a render.`,
      `- **A cold start** bills its INIT time, since August 2025 also for functions of a zip archive: ${initMs} ms at 1 GB are ${usd(init)}, as much as ${Math.round(init / usdOf('lambdaRequest', 1))} calls. Routes share ${apiFunctions.length} functions, so that fewer requests meet one.`,
      `- **A post that the platform processes for long** is polled with a backoff: ${slowSeconds / 60} minutes take ${slowPolls} polls, ${pollsUsd(slowPolls)} of transitions; every 5 s they would take ${slowSeconds / 5} (${pollsUsd(slowSeconds / 5)}).`,
      `- **Container Insights** writes ${metricsOfTasks} custom metrics in each hour with a task: ${usd(usdOf('metric', metricsOfTasks) / (minutesOfMonth / 60))}, as much as a few rendered minutes. A month of continuous rendering costs ${usd(usdOf('metric', metricsOfTasks))}; the first ten metrics are free.`,
      `- **Every PUT is an event**: S3 notifies EventBridge of all objects, of which only uploads have a rule. The ${Math.round(puts)} PUTs of a video cost at most ${usd((puts * eventUsdPerMillion) / 1e6)} more; the lines above omit them.`,
      `- **The sweeper** reads ${shards} shards a minute, half a unit each: ${line('tableRead')} a month. Fewer shards would save cents.`,
      `- **Key rotation**: AWS charges ${usd(awsPrices.keyRotation.usd)} a month more after the first rotation and the same again after the second; further rotations are free. An idle month therefore costs ${idleUsd(yearsBeforeRotation(idleIn) + 1)} from year ${yearsBeforeRotation(idleIn) + 1} on; yearly rotation (\`keyRotationDays\` 365) adds ${usd(awsPrices.keyRotation.usd)} from the second year and ${usd(2 * awsPrices.keyRotation.usd)} from the third.`,
      `- **Old images stay**: each deployment of a changed renderer adds ${line('imageStored')} a month in the repository of the CDK, twelve of them ${usd(12 * usdOf('imageStored', assumptions.imageGigabytes))}, until they are removed with \`npx cdk gc --unstable=gc\`. The idle month has one image.`,
      '- **Custom metrics** are billed for the hours in which they are written; an idle deployment writes none. Each combination of name and dimension value is one metric.',
      '- **Dashboards and alarms**: three and ten per account are free. An alarm counts once for each metric that it watches.',
      '- **Uploads to platforms** are billed as transfer to the internet. Platforms that fetch the video use CloudFront, whose first terabyte a month is free; the table counts every post as an upload.',
      '- **No NAT gateway**: tasks have public addresses while they run. **X-Ray** traces executions, not requests.',
      '- **Spot** saves up to 70 % of a task; the table counts full prices.',
    ].join('\n'),
  ]
}

function sources(measured: MeasuredResults): string[] {
  const read = { page: 'AWS page', guides: 'guides', memory: '**not verified**' }
  return [
    '## Prices',
    `The last column is the source of a price: a copy of the AWS page, guides of 2025 and 2026 where copies of the page have no figures, or none. Compare
unverified prices with the page before you rely on them.`,
    markdownTable(
      ['unit', 'USD', 'free per month', 'page', 'source'],
      (Object.values(awsPrices) as ListPrice[]).map(({ per, usd: price, free, page, read: how }) => [
        per,
        digits(price, 2),
        free === undefined ? '' : quantity(free),
        page,
        read[how],
      ]),
    ),
    '## Assumptions',
    'No benchmark on one machine measures these ([scripts/cost/assumptions.ts](../../scripts/cost/assumptions.ts)); most are conservative.',
    describedAssumptions.map(({ value, means }) => `- ${quantity(value)} ${means}.`).join('\n'),
    '## Measurements',
    markdownTable(
      ['command', 'date', 'machine', 'Node'],
      Object.values(measured).map(({ command, date, machine, node }) => [`\`${command}\``, date, machine, node]),
    ),
    'Functions were measured in the local run; their seconds are scaled up for their share of a CPU and for the latency of AWS calls.',
  ]
}

/** Three significant digits, never in exponential notation. */
function digits(value: number, least: number): string {
  if (value === 0) return '0'
  const decimals = Math.max(2 - Math.floor(Math.log10(value)), least)
  return value.toFixed(Math.min(decimals, 12))
}

const usd = (value: number) => digits(value, 2)

const quantity = (value: number) =>
  Number.isInteger(value) || value >= 1000
    ? new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 }).format(value)
    : digits(value, 0)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')
