/** docs/operations/cost.md: one table first, how each line comes about below it. */
import { assumptions, describedAssumptions } from './assumptions.ts'
import { type Bill, billTotal, billTotalBeyondFreeTier, linesOf, usdOf } from './bill.ts'
import type { CostItem, CostItems, MeasuredResults } from './items.ts'
import { awsPrices, type ListPrice, type PriceName, priceList } from './prices.ts'
import { happyPath } from './state-paths.ts'
import { vendorLines } from './vendors.ts'

/** What an idle deployment may cost in a month, for as long as its key is not rotated. */
export const idleUsdMax = 2

export function costPage(items: CostItems, measured: MeasuredResults): string {
  const parts = [
    '# What it costs',
    'Written by `npm run cost`; do not edit.',
    `US dollars by the list prices of ${priceList.region} on ${priceList.date}, without tax. What was measured and where stands in
[bench/results](../../bench/results), prices in [scripts/cost/prices.ts](../../scripts/cost/prices.ts), what is idle in the
synthesised templates. Nothing is deducted of what AWS gives for nothing, but where it says so.`,
    summary(items),
    '## How each line comes about',
    'What makes up less than a hundredth of a line is left out here.',
    ...[...items.calls.map(asCalls), ...items.work, ...items.storage].map(account),
    ...idleSection(items.idle),
    ...vendorSection(measured),
    ...traps(items, measured),
    ...sources(measured),
  ]
  return `${parts.join('\n\n')}\n`
}

const asCalls = ({ name, bill }: CostItem): CostItem => ({ name: `1,000 API calls: ${name}`, bill })

function summary({ calls, work, storage: kept, idle: idleIn }: CostItems): string {
  const idle = idleIn(1)
  const row = ({ name, bill }: CostItem) => [name, usd(billTotal(bill)), dominant(bill)]
  const idleRow = [
    `**an idle month** of the first ${yearsBeforeRotation(idleIn)} years, with what an account gets for nothing`,
    `**${digits(billTotalBeyondFreeTier(idle), 3)}**`,
    dominant(beyondFree(idle)),
  ]
  return tableOf(['', 'USD', 'most of it'], [...[...calls.map(asCalls), ...work, ...kept].map(row), idleRow])
}

/** How many years of a deployment are over before AWS asks for a rotation of its key. */
function yearsBeforeRotation(idle: CostItems['idle']): number {
  // KMS waits for seven years at most.
  const years = [1, 2, 3, 4, 5, 6, 7, 8].findIndex((year) => idle(year).keyRotation)
  if (years < 0) throw new Error('The key is not rotated.')
  return years
}

const account = ({ name, bill }: CostItem): string => {
  const whole = billTotal(bill)
  const told = linesOf(bill)
    .filter(([line, amount]) => usdOf(line, amount) >= whole / 100)
    .map(([line, amount]) => `${quantity(amount)} × ${awsPrices[line].per} = ${usd(usdOf(line, amount))}`)
  return `**${name}**: ${told.join('; ')}.`
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
  const sums = ['**together**', '', '', `**${usd(billTotal(idle))}**`, `**${digits(usdBeyondFree, 3)}**`]
  return [
    '## An idle month',
    `Every resource of the templates is looked at ([scripts/cost/idle-bill.ts](../../scripts/cost/idle-bill.ts)); one of a type of which nobody has said what it
costs ends the command. The last column is what a deployment adds to an account that holds nothing else; it stays under ${idleUsdMax} USD (a test),
by ${(idleUsdMax - usdBeyondFree).toFixed(3)} USD, which is less than the estimates in it are sure of. It holds for ${yearsBeforeRotation(idleIn)} years, until the key is rotated
([0033](../decisions/0033-key-rotation.md)).
A second deployment in the same account shares what is free with the first.`,
    tableOf(['', 'used', 'free', 'USD', 'USD beyond what is free'], [...rows, sums]),
  ]
}

function vendorSection({ generate }: MeasuredResults): string[] {
  const { pictures } = generate.figures.ai_image
  const rows = vendorLines(pictures).map(({ capability, vendor, usd: price, priceText: told, times, of }) => [
    `\`${capability}\``,
    vendor,
    told,
    `${times} ${of}`,
    usd(price * times),
  ])
  return [
    '## Vendors',
    `Where a deployment chose a vendor, a generated minute costs so much more; [providers.md](../guides/providers.md) says where the prices come from. An animated
or spoken minute is one in which every second is: most films show a fraction of that.`,
    tableOf(['', 'vendor', 'price', 'a minute takes', 'USD'], rows),
  ]
}

function traps({ work, idle: idleIn }: CostItems, { usage, render }: MeasuredResults): string[] {
  const idle = idleIn(1)
  const { sweep, render: film } = usage.figures
  const { filmSeconds, film: shortFilm, edit } = render.figures
  const shards = (sweep.used['workers/sweep']?.calls['DynamoDB.Query'] ?? 0) / sweep.ticks
  const { write = 0, calls = {} } = film.used['container/render-video'] ?? {}
  const of = (name: RegExp) => usd(billTotal(work.find((item) => name.test(item.name))!.bill))
  const { taskStartSeconds, taskSecondsMin } = assumptions
  const idleUsd = (year: number) => digits(billTotalBeyondFreeTier(idleIn(year)), 3)
  const line = (name: PriceName) => usd(usdOf(name, idle[name] ?? 0))
  return [
    '## Where money would go unseen',
    [
      `- **A task costs a minute at least.** A film of ${filmSeconds.film} s needs ${shortFilm.wallSeconds.toFixed(1)} s, an edit ${edit.wallSeconds.toFixed(1)} s; with ${taskStartSeconds} s for its start each is billed as ${taskSecondsMin} s. An edited word (${of(/edited/)}) saves time more than money.`,
      `- **Queues are asked while they are empty**: ${line('queueRequest')} a month before what is free. Each further queue with a worker adds half of that.`,
      `- **States**: a generation passes ${happyPath('generate').length}, a render ${happyPath('render').length}, a publication ${happyPath('publish').length} and three for each step of each account (${of(/one account/)} in all). Polling a platform is what costs transitions.`,
      `- **Segments**: rendering ${Math.round(film.seconds)} s of film took ${calls['S3.PUT']} PUTs, ${calls['S3.GET']} GETs and ${write} write units, since each segment is counted before it is kept. Half of what a film stores is its segments.`,
      `- **The sweeper** reads ${shards} shards a minute, half a unit each: ${line('tableRead')} a month. Fewer shards would save cents.`,
      `- **Rotation of the key**: AWS asks ${usd(awsPrices.keyRotation.usd)} a month more after the first rotation, and as much again after the second; then no more. So an idle month costs ${idleUsd(yearsBeforeRotation(idleIn) + 1)} from year ${yearsBeforeRotation(idleIn) + 1} on; a key that is rotated yearly (\`keyRotationDays\` 365) adds ${usd(awsPrices.keyRotation.usd)} from the second year and ${usd(2 * awsPrices.keyRotation.usd)} from the third.`,
      `- **Images stay**: each deployment of another renderer leaves ${line('imageStored')} a month in the repository of the CDK, twelve of them ${usd(12 * usdOf('imageStored', assumptions.imageGigabytes))}, until somebody removes them: \`npx cdk gc --unstable=gc\`. The idle month has one.`,
      '- **Metrics of our own** are paid for by the hour in which they are written: an idle deployment writes none. Each name and each value of a dimension is one.',
      '- **Dashboards and alarms** are free up to three and ten in an account. Alarms count by the metrics that they watch.',
      '- **Films that are sent to platforms** leave AWS at the price of the internet; platforms that fetch take them from CloudFront instead, whose first terabyte a month is free. Each post is counted as sent.',
      '- **No NAT**: tasks have public addresses for as long as they run. **X-Ray** traces executions, not requests.',
      '- **Spot** takes up to 70 % off a task; all are counted at the full price.',
    ].join('\n'),
  ]
}

function sources(measured: MeasuredResults): string[] {
  const read = { page: 'the page itself', guides: 'guides', memory: '**not verified**' }
  return [
    '## Prices',
    `The last column says where a price was read: in a copy of the page itself, in guides of 2025 and 2026 where copies of the page lack its
figures, or nowhere: then it is what is commonly known. Compare these with the page before you rely on them.`,
    tableOf(
      ['for each', 'USD', 'free a month', 'page', ''],
      (Object.values(awsPrices) as ListPrice[]).map(({ per, usd: price, free, page, read: how }) => [
        per,
        digits(price, 2),
        free === undefined ? '' : quantity(free),
        page,
        read[how],
      ]),
    ),
    '## What is assumed',
    'No benchmark on one machine tells these ([scripts/cost/assumptions.ts](../../scripts/cost/assumptions.ts)); most err on the dear side.',
    describedAssumptions.map(({ value, means }) => `- ${quantity(value)} ${means}.`).join('\n'),
    '## What was measured',
    tableOf(
      ['command', 'date', 'machine', 'Node'],
      Object.values(measured).map(({ command, date, machine, node }) => [`\`${command}\``, date, machine, node]),
    ),
    'Functions ran on the local run: their seconds are made longer by the share of a CPU that they get and by the way to the services.',
  ]
}

function tableOf(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** To three digits, and never as a power of ten. */
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
