/** What is told of the service under load, its lists, webhooks and automations. Whatever was measured comes from the results. */
import { type Figures, goals } from '../../bench/figures.ts'
import {
  formatNumber,
  formatPercent,
  goalText,
  markdownTable,
  type Section,
  signedNumber,
  times,
  unitFormatter,
} from './markdown.ts'

const ms = unitFormatter('ms')

export const loadSection: Section<'load'> = {
  title: 'Load: `npm run bench:load`',
  name: 'load',
  about: `Reads and writes of many workspaces over HTTP on the local stack, which is a process of its own. Requests come at random moments, the same in
every run, and wait for none before them; each is timed from the moment at which it was to be sent until the last byte of its answer, so that
a service which stands still is told by all that come meanwhile. Titles are looked for in all of a workspace's videos; a fixed thing is the
list of voices or of platforms. Gateway, functions and emulators share the machine with whoever asks: this tells how our code behaves under
load, not how fast AWS is.`,
  body: (figures) => [
    `${loadTold(figures)}`,
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

function loadTold({ load, sentLateMs, openAtMost }: Figures['load']): string {
  const { workspaces, videosEach, warmUpSeconds, seconds, perSecond } = load
  return `${workspaces} workspaces with ${videosEach} videos each, ${perSecond} requests a second for ${seconds} s, after ${warmUpSeconds} s that do not count.
99 of 100 requests were sent within ${formatNumber(sentLateMs, 1)} ms of their moment; ${openAtMost} were open at once at most.`
}

function serviceRows({ all, errors, memory, service }: Figures['load']): string[][] {
  const { heldMegabytes, heldMegabytesPerMinute, rssMegabytes } = memory
  const codes = Object.entries(errors).map(([code, count]) => `${formatNumber(count)} x ${code}`)
  const slope = (value: number) => `${formatNumber(value, 1)} MB a minute`
  return [
    ['errors', codes.join(', ') || 'none', goalText(all.errors, goals.load.errors, (value) => formatNumber(value))],
    [
      'memory that the service holds, all garbage collected, without compiled code, along the line that fits best',
      `${slope(heldMegabytesPerMinute)} (${heldMegabytes.map((value) => formatNumber(value, 1)).join(', ')} MB)`,
      goalText(
        heldMegabytesPerMinute,
        goals.load.heldMegabytesPerMinute,
        (value) => `${formatNumber(value)} MB a minute`,
      ),
    ],
    [
      'memory of its process, first and last',
      `${formatNumber(rssMegabytes.first)} and ${formatNumber(rssMegabytes.last)} MB`,
      '',
    ],
    ['share of a core that its process takes, without that of the table', formatPercent(service.cpuShare), ''],
  ]
}

export const routeSection: Section<'api'> = {
  title: 'Routes: `npm run bench:api`',
  name: 'api',
  about: `What one request takes of the table, and how fast the local stack answers requests to the same route, one after the other on each of a few
connections (a closed loop: latency is that of a service which is fully busy).`,
  body: ({ connections, rows }) => [
    `${connections} connections.`,
    markdownTable(
      ['', 'read units', 'write units', 'calls to the table', 'p50 ms', 'p99 ms', 'a second'],
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
  about: 'What a page of 50 videos costs in libraries of three sizes: read units, and ms on the local stack.',
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
          'a page in the order of the index: units in a larger library beyond those in the smallest',
          formatPercent(spread),
          goalText(spread, goals.lists.spread, formatPercent),
        ],
        [
          'a search: units for each 10,000 videos, where an index of titles is kept',
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
  about: `The local stack as a child process, receivers in a thread of their own; the emulators' ceiling is the same calls to table and queue without
our code around them, in the same run.`,
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
      `deliveries, sustained, from a backlog of ${formatNumber(backlog.deliveries)}`,
      `${aSecond(backlog.perSecond)} (the emulators alone: ${formatNumber(ceiling.perSecond)})`,
      goalText(backlog.perSecond, goal.perSecond, aSecond),
    ],
    ['the same, fan-out included', aSecond(burst.perSecond), ''],
    ["others' p99 beside receivers that never answer", ...beside(hang)],
    ["others' p99 beside receivers that answer after 7.5 s", ...beside(late)],
    [
      `${formatNumber(hostility.receivers)} hostile receivers, ${formatNumber(hostility.attempts)} attempts`,
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
  about: 'Only the sweeper wakes them; every automation has an armed clip.',
  body: (figures) => [
    markdownTable(['', 'measured', 'goal'], automationRows(figures)),
    `A quarter of a year of a daily automation with three slots and two changes of the clocks takes 43 s on the test clock, with stand-ins for
generating, rendering and posting (\`DAYS=90 vitest run test/pipelines/automations-clock\`); the goal is 3 minutes. All time zones for two years
(\`npm run test:schedule\`) take 2.5 minutes. Both were taken by hand on 21 November 2026.`,
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
  about:
    'How long the import of each bundled function takes in a fresh process, beyond that of a handler which is empty.',
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
