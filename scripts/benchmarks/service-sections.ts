/** The sections on load, routes, lists, webhooks, automations and cold starts. Figures come from the results. */
import { type BenchGoal, type Figures, goals } from '../../bench/figures.ts'
import { markdownTable } from '../markdown-table.ts'
import { formatNumber, formatPercent, goalText, type Section, signedNumber, times, unitFormatter } from './markdown.ts'

const ms = unitFormatter('ms')

export const loadSection: Section<'load'> = {
  title: 'Load: `npm run bench:load`',
  name: 'load',
  about: `Reads and writes of many workspaces over HTTP on the local stack, which is a separate process. Requests are sent in an open loop at random times,
the same in every run; latency is measured from the scheduled time to the last byte of the response, so that a stalled service shows in every
request that is due meanwhile. A search covers all titles of a workspace; a fixed list is that of voices or platforms. Gateway, functions and
emulators share the machine with the client: this measures the behaviour of our code under load, not the speed of AWS.`,
  body: (figures) => [
    `${loadText(figures)}`,
    markdownTable(
      ['', 'requests', 'p50 ms', 'p95 ms', 'p99 ms', 'errors'],
      [...Object.entries(figures.classes), ['**all**', figures.all] as const].map(([name, row]) => [
        name,
        formatNumber(row.requests),
        ...[row.p50Ms, row.p95Ms, row.p99Ms].map((value) => formatNumber(value, 1)),
        formatNumber(row.errors),
      ]),
    ),
    markdownTable(['', 'measured', 'goal'], serviceRows(figures)),
  ],
}

function loadText({ load, sentLateMs, openAtMost }: Figures['load']): string {
  const { workspaces, videosEach, warmUpSeconds, seconds, perSecond } = load
  return `${workspaces} workspaces with ${videosEach} videos each, ${perSecond} requests a second for ${seconds} s, after a warm-up of ${warmUpSeconds} s.
99 % of the requests were sent within ${formatNumber(sentLateMs, 1)} ms of their scheduled time; at most ${openAtMost} were open at once.`
}

function serviceRows({ all, errors, memory, service }: Figures['load']): string[][] {
  const { heldMegabytes, heldMegabytesPerMinute, rssMegabytes } = memory
  const codes = Object.entries(errors).map(([code, count]) => `${formatNumber(count)} x ${code}`)
  const slope = (value: number) => `${formatNumber(value, 1)} MB a minute`
  return [
    ['errors', codes.join(', ') || 'none', goalText(all.errors, goals.load.errors, (value) => formatNumber(value))],
    [
      'growth of the heap after garbage collection, without compiled code (linear fit)',
      `${slope(heldMegabytesPerMinute)} (${heldMegabytes.map((value) => formatNumber(value, 1)).join(', ')} MB)`,
      goalText(
        heldMegabytesPerMinute,
        goals.load.heldMegabytesPerMinute,
        (value) => `${formatNumber(value)} MB a minute`,
      ),
    ],
    [
      'memory of the process (RSS), first and last',
      `${formatNumber(rssMegabytes.first)} and ${formatNumber(rssMegabytes.last)} MB`,
      '',
    ],
    ['CPU share of one core, without the table emulator', formatPercent(service.cpuShare), ''],
  ]
}

export const hostilitySection: Section<'hostility'> = {
  title: 'A hostile workspace: `npm run bench:load -- hostility`',
  name: 'hostility',
  about: `Ordinary traffic of twenty workspaces and one render after the other, in turns alone and beside a workspace on the free plan that does at once
everything that could slow its neighbours: floods of reads and writes, renders of clips, waiting downloads, captions and bodies at their limits,
declarations of uploads, look-ups, resends, and endpoints that fail. It never waits for a response. All share the processors of one machine, which
no workspace does in AWS.`,
  body: ({ rounds, seconds, classes, renders, errors, memory, hostile }) => {
    const [goal, factor] = [goals.hostility, times(2)]
    const ratioRow = (name: string, alone: string, beside: string, ratio: number, most: BenchGoal) => [
      name,
      alone,
      beside,
      `${factor(ratio)}, ${goalText(ratio, most, factor)}`,
    ]
    const latency = ({ p50Ms, p99Ms }: { p50Ms: number; p99Ms: number }) =>
      `${formatNumber(p50Ms, 1)}, ${formatNumber(p99Ms, 1)} ms`
    const render = (one: { medianSeconds: number }) => `${formatNumber(one.medianSeconds, 1)} s`
    const refused = Object.values(errors).reduce((sum, count) => sum + count, 0)
    const { heldMegabytes, rssMegabytes } = memory
    const held = heldMegabytes.after / heldMegabytes.before
    const megabytes = (value: number) => `${formatNumber(value)} MB`
    return [
      `${rounds} rounds of ${seconds} s alone and ${seconds} s beside it. The hostile workspaces sent ${formatNumber(hostile.requests)} requests, of which ${formatNumber(hostile.statuses['429'] ?? 0)} were refused with 429; ${formatNumber(hostile.statuses['0'] ?? 0)} still waited for their share when the client gave up after 30 s.`,
      markdownTable(
        ['', 'alone', 'beside it', 'ratio of p99, time or memory'],
        [
          ...Object.entries(classes).map(([name, { alone, beside, p99Ratio }]) =>
            ratioRow(`${name} of neighbours, p50 and p99`, latency(alone), latency(beside), p99Ratio, goal.ratio),
          ),
          ratioRow('a render, median', render(renders.alone), render(renders.beside), renders.ratio, goal.ratio),
          [
            'errors of neighbours, in all',
            '',
            formatNumber(refused),
            goalText(refused, goal.errors, (value) => formatNumber(value)),
          ],
          ratioRow(
            'memory held, before the first and after the last',
            megabytes(heldMegabytes.before),
            megabytes(heldMegabytes.after),
            held,
            goal.heldRatio,
          ),
          ['memory of the process (RSS), the same', megabytes(rssMegabytes.before), megabytes(rssMegabytes.after), ''],
        ],
      ),
    ]
  },
}

export const routeSection: Section<'api'> = {
  title: 'Routes: `npm run bench:api`',
  name: 'api',
  about: `Capacity units of one request, and the speed of the local stack with requests to the same route, one after the other on each connection (a closed
loop: latency of a fully loaded service).`,
  body: ({ connections, rows }) => [
    `${connections} connections.`,
    markdownTable(
      ['', 'read units', 'write units', 'table calls', 'p50 ms', 'p99 ms', 'requests/s'],
      rows.map(({ route, read, write, calls, p50Ms, p99Ms, perSecond }) => [
        `\`${route}\``,
        ...[read, write].map((units) => formatNumber(units, 1)),
        ...[calls, p50Ms, p99Ms, perSecond].map((value) => formatNumber(value)),
      ]),
    ),
  ],
}

export const listSection: Section<'lists'> = {
  title: 'Lists: `npm run bench:lists`',
  name: 'lists',
  about: 'The cost of a page of 50 videos in workspaces of three sizes: read units, and ms on the local stack.',
  body: ({ sizes, costs, spread, searchUnitsPer10000 }) => [
    markdownTable(
      ['', ...sizes.map((size) => `${formatNumber(size)} videos`)],
      Object.entries(costs).map(([name, all]) => [
        name,
        ...all.map((cost) => `${formatNumber(cost.units, 1)} units, ${formatNumber(cost.ms)} ms`),
      ]),
    ),
    markdownTable(
      ['', 'measured', 'goal'],
      [
        [
          'a page in index order: additional units in a larger workspace',
          formatPercent(spread),
          goalText(spread, goals.lists.spread, formatPercent),
        ],
        [
          'a search with the title index: units per 10,000 videos',
          formatNumber(searchUnitsPer10000, 1),
          goalText(searchUnitsPer10000, goals.lists.searchUnitsPer10000, (value) => formatNumber(value)),
        ],
      ],
    ),
  ],
}

export const webhookSection: Section<'webhooks'> = {
  title: 'Webhooks: `npm run bench:webhooks`',
  name: 'webhooks',
  about: `The local stack is a child process, the receivers run in a separate thread on loopback addresses, each a host. The events are spread over workspaces and
hosts so that no delivery waits for the limit of its host ([limits](../guides/limits.md)). The ceiling of the emulators is the same calls to table and queue
without our code, in the same run.`,
  body: (figures) => [markdownTable(['', 'measured', 'goal'], webhookRows(figures))],
}

function webhookRows(figures: Figures['webhooks']): string[][] {
  const { load, latency, backlog, ceiling, burst, hang, late, hostility } = figures
  const { webhooks: goal } = goals
  const beside = ({ p99Ms }: { p99Ms: number }) => {
    const risenMs = p99Ms - latency.p99Ms
    return [
      `${ms(p99Ms)} (${signedNumber(risenMs)} ms)`,
      goalText(risenMs, goal.p99RisenMs, (value) => `${signedNumber(value)} ms`),
    ]
  }
  const aSecond = unitFormatter('a second')
  const rssRisen = hostility.rssRisenBytes / 1024 / 1024
  return [
    [
      `event to first POST at ${formatNumber(load.perSecond)} events a second`,
      `p50 ${ms(latency.p50Ms)}, p99 ${ms(latency.p99Ms)}`,
      [goalText(latency.p50Ms, goal.p50Ms, ms), goalText(latency.p99Ms, goal.p99Ms, ms)].join('; '),
    ],
    [
      `sustained deliveries from a backlog of ${formatNumber(backlog.deliveries)}`,
      `${aSecond(backlog.perSecond)} (emulators alone: ${formatNumber(ceiling.perSecond)})`,
      goalText(backlog.perSecond, goal.perSecond, aSecond),
    ],
    ['the same, fan-out included', aSecond(burst.perSecond), ''],
    ['p99 of other receivers while some never respond', ...beside(hang)],
    ['p99 of other receivers while some respond after 7.5 s', ...beside(late)],
    [
      `${formatNumber(hostility.receivers)} malicious receivers, ${formatNumber(hostility.attempts)} attempts`,
      `longest ${formatNumber(hostility.longestMs / 1000, 1)} s, memory ${signedNumber(rssRisen, 1)} MB`,
      [
        goalText(hostility.longestMs, goal.longestMs, (value) => `${formatNumber(value / 1000, 1)} s`),
        goalText(rssRisen, goal.rssRisenMegabytes, (value) => `${signedNumber(value)} MB`),
      ].join('; '),
    ],
  ]
}

export const automationSection: Section<'automations'> = {
  title: 'Automations: `npm run bench:automations`',
  name: 'automations',
  about: 'Only the sweeper triggers the automations; each has a clip ready to publish.',
  body: (figures) => [
    markdownTable(['', 'measured', 'goal'], automationRows(figures)),
    `90 days of a daily automation with three slots and two daylight-saving changes take 43 s on the test clock, with fakes for generation, render
and publication (\`DAYS=90 vitest run test/pipelines/automations-clock\`); the goal is 3 minutes. All time zones for two years
(\`npm run test:schedule\`) take 2.5 minutes. Both were measured by hand on 21 November 2026.`,
  ],
}

function automationRows({ due, few, alone, among, all, growth }: Figures['automations']): string[][] {
  const { automations: goal } = goals
  const each = `${formatNumber(alone.read / few, 1)} read units and ${formatNumber(alone.write / few)} write units each`
  return [
    [`${formatNumber(few)} due among ${formatNumber(few)}`, `${formatNumber(alone.seconds, 1)} s, ${each}`, ''],
    [
      `${formatNumber(few)} due among ${formatNumber(due * 2)}`,
      `${formatNumber(among.seconds, 1)} s, units ${times(2)(growth.units)}`,
      goalText(growth.units, goal.growth, times(2)),
    ],
    [
      `${formatNumber(due)} due at once`,
      `${formatNumber(all.seconds)} s in ${all.ticks === 1 ? 'one tick' : `${all.ticks} ticks`}, ${formatNumber(all.cpuSeconds)} s of CPU in our process`,
      goalText(all.seconds, goal.seconds, unitFormatter('s')),
    ],
  ]
}

export const coldStartSection: Section<'cold'> = {
  title: 'Cold starts: `npm run bench:cold`',
  name: 'cold',
  about: 'Import time of each bundled function in a fresh process, in addition to that of an empty handler.',
  body: ({ emptyMs, functions, largestBytes, slowestOverEmptyMs, medianOverEmptyMs }) => [
    markdownTable(
      ['functions', 'median ms', 'slowest ms', 'empty handler ms', 'largest file'],
      [
        [
          formatNumber(functions),
          formatNumber(medianOverEmptyMs, 1),
          formatNumber(slowestOverEmptyMs, 1),
          formatNumber(emptyMs, 1),
          `${formatNumber(largestBytes / 1024)} KB`,
        ],
      ],
    ),
  ],
}
