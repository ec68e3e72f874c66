/**
 * `npm run proof`: writes docs/proof.md from the stored results of the instruments (`test/results`), the promises of the
 * simulator, the classes of faults with their alarms, and the rows of earlier versions. A test holds the page equal.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { faultClasses } from '../test/alarms/fault-classes.ts'
import { invariants } from '../test/simulator/invariants.ts'
import { busyVersions, legacyVersions } from '../test/support/given/legacy-rows.ts'
import {
  type Injected,
  type ProofFigures,
  type ProofName,
  readStoredResult,
  type StoredResult,
  type SuiteFigures,
} from '../test/support/results.ts'
import { markdownTable } from './markdown-table.ts'

export type ProofResults = { [Name in ProofName]?: StoredResult<ProofFigures[Name]> | undefined }

const names = [
  ...([
    'simulator',
    'mutants',
    'domain-mutants',
    'model',
    'faults',
    'kill',
    'publish',
    'schedule',
    'upgrades',
    'fuzz',
  ] as const),
]

export const readProofResults = (): ProofResults =>
  Object.fromEntries(names.map((name) => [name, readStoredResult(name)]))

const root = join(import.meta.dirname, '..')
const count = (value: number) => value.toLocaleString('en-US')
const sumOf = (counts: Injected) => Object.values(counts).reduce((sum, times) => sum + times, 0)
const failures = (failed: number, things: string) => (failed === 0 ? `0 ${things}` : `**${count(failed)} ${things}**`)

/** What each instrument does, and its last result in a sentence. */
interface Instrument<Name extends ProofName> {
  /** With its command where there is no result yet. */
  command: string
  does: string
  resultOf: (figures: ProofFigures[Name]) => string
}

const suite = (command: string, does: string) => ({
  ...{ command, does },
  resultOf: ({ tests, failed }: SuiteFigures) => `${count(tests)} tests, ${failures(failed, 'failed')}`,
})

const instruments: { [Name in ProofName]: Instrument<Name> } = {
  simulator: {
    command: 'npm run simulate',
    does: 'Runs the whole service in process, in virtual time, on simulated AWS, receivers and platforms, among the faults below, and checks every promise',
    resultOf: ({ seeds, broken, calls, crashes }) =>
      `${count(seeds)} seeds, ${count(calls)} calls, ${count(crashes)} crashes, ${failures(broken, 'with a broken promise')}`,
  },
  mutants: {
    command: 'npm run mutants',
    does: 'Changes one line of production code at a time; the simulator has to find it within 500 seeds',
    resultOf: (mutants) =>
      `${killed(mutants).length} of ${mutants.length} mutants killed, ${failures(mutants.length - killed(mutants).length, 'survivors')}`,
  },
  'domain-mutants': {
    command: 'npm run mutants:domain',
    does: 'Changes an operator, a condition or a constant of `lib/domain`, drawn by the seed; its tests have to find it',
    resultOf: ({ mutants, killed: found }) =>
      `${count(found)} of ${count(mutants)} mutants killed (${((100 * found) / mutants).toFixed(1)} %)`,
  },
  model: {
    command: 'npm run test:model',
    does: 'Sends random sequences of commands, of two clients at once, to the service over HTTP and to a model of the contract, and compares all that a client sees',
    resultOf: ({ sequences, length, requests, events, differences }) =>
      `${count(sequences)} sequences of ${length} commands, ${count(requests)} requests, ${count(events)} events, ${failures(differences, 'differences')}`,
  },
  faults: {
    command: 'npm run test:faults',
    does: 'Breaks a real local run while clients use it, and checks the promises that its state at rest shows, through the API and the table',
    resultOf: ({ runs, injected, accepted, lost, doubled, broken }) =>
      `${count(runs)} runs, ${count(sumOf(injected))} faults, ${count(accepted)} requests accepted, ${failures(lost, 'lost')}, ${failures(doubled, 'doubled')}, ${failures(broken, 'broken promises')}`,
  },
  kill: suite(
    'npm run test:kill',
    'Kills a real generation at every crash point, publications, and the workers of webhooks, and lets them finish',
  ),
  publish: suite(
    'npm run test:publish',
    'Runs the publish engine through 2,000 schedules of faults and crashes, and 200 on each platform',
  ),
  schedule: suite('npm run test:schedule', 'Computes the slots of automations in all time zones for two years'),
  upgrades: {
    command: 'npm run test:upgrades',
    does: 'An earlier version and this one take turns on one data directory; each is killed in the middle of its runs, which the other one finishes',
    resultOf: ({ from, switches, runs, events, lost }) =>
      `from \`${from}\`: ${switches} switches, ${runs} videos, ${events} deliveries, ${failures(lost, 'lost events')}`,
  },
  fuzz: {
    command: 'npm run fuzz -- --calls 100000',
    does: 'Sends random requests to every operation, drawn from the OpenAPI document',
    resultOf: ({ calls, answers, isClean }) =>
      `${count(calls)} calls, ${failures(isClean ? 0 : 1, 'findings')}; answers ${listed(answers)}`,
  },
}

const listed = (counts: Injected) =>
  Object.entries(counts)
    .map(([name, times]) => `${name} ${count(times)}`)
    .join(', ')

const killed = (mutants: ProofFigures['mutants']) => mutants.filter(({ invariant }) => invariant)

function instrumentRow<Name extends ProofName>(name: Name, results: ProofResults): string[] {
  const { command, does, resultOf } = instruments[name] as Instrument<Name>
  const result = results[name] as StoredResult<ProofFigures[Name]> | undefined
  if (!result) return [`\`${command}\``, does, 'not run', '']
  return [`\`${result.command}\``, does, resultOf(result.figures), result.date]
}

const injectedTable = (counts: Injected) =>
  markdownTable(
    ['Fault', 'Times'],
    Object.entries(counts).map(([fault, times]) => [`\`${fault}\``, count(times)]),
  )

function faultSections({ simulator, faults }: ProofResults): string[] {
  return [
    ...(simulator ? ['### In the simulator', injectedTable(simulator.figures.faults)] : []),
    ...(faults ? ['### On the real local run', injectedTable(faults.figures.injected)] : []),
  ]
}

const mutantSection = ({ mutants }: ProofResults): string[] =>
  mutants
    ? [
        '## Mutants',
        'Each is one line of production code that was changed; the promise is the one that broke first, at this seed.',
        markdownTable(
          ['File', 'What is broken', 'Promise', 'Seed'],
          mutants.figures.map(({ file, breaks, seed, invariant }) => [
            ...[`\`${file}\``, breaks],
            ...(invariant ? [invariant, String(seed)] : ['**survived**', '']),
          ]),
        ),
      ]
    : []

function alarmSection(): string[] {
  const rows = Object.entries(faultClasses).map(([name, injections]) => {
    const raised = [...new Set(injections.flatMap(({ raises }) => raises))].toSorted()
    return [name, String(injections.length), raised.map((alarm) => `\`${alarm}\``).join(', ') || 'none']
  })
  return [
    '## Alarms',
    `\`npm test\` injects each class of faults into a simulated deployment, and evaluates the alarms of the templates over the metrics
that the functions write. Exactly these are raised; in an hour of traffic without faults, none.`,
    markdownTable(['Class of faults', 'Ways', 'Alarms'], rows),
  ]
}

function upgradeSection(): string[] {
  const fixtures = readdirSync(join(root, 'test/store/older-rows'))
  const versions = [...legacyVersions, ...busyVersions].filter(([version]) => fixtures.includes(`${version}.json`))
  return [
    '## Upgrades',
    `No version was released before 1.0.0. These commits wrote rows, stored responses and documents, kept as they are, which \`npm test\`
reads, shows, edits, renders, repeats and deletes; \`npm run test:upgrades\`
lets runs that one version started be finished by another, forward and back. An outbox row of an unknown kind is kept, and is a fault that
raises an alarm ([decision 31](decisions/0031-row-compatibility.md)); commits before \`8837e928\` deleted such rows.`,
    markdownTable(
      ['Commit', 'What was new in it'],
      versions.map(([version, what]) => [`\`${version}\``, what]),
    ),
  ]
}

const notShown = `## Not shown

- **AWS itself.** Everything ran on emulators and simulations of its documented behaviour, on one machine. What AWS does otherwise is not seen, nor are its limits and latencies under load.
- **The platforms.** Publishers run against sandboxes with the shapes of the ten APIs; Bluesky also against its own server (\`npm run test:bluesky\`).
- **Vendors of scripts, voices and pictures.** Recorded shapes of their APIs, with failures; no real account.
- **Every interleaving.** Seeds are samples. Faults that need more coincidences than the samples have may remain, and a simulator sees only what its world can do.
- **One report of a lost video.** Of six runs of \`npm run test:faults\` on 29 November 2026 the first reported an accepted video that did not exist. Its check took a clip of a clip for lost where only the first source had been deleted. The check follows all sources now; of six more runs one had such clips, and none reported a video. The first report was not recorded in enough detail to tell whether it was one of them: the next would list every request about the video.
- **What the model does not know**: time, slots, retries of deliveries, uploads, conversions and scenes of presentations; bytes it takes as the service reports them.
- **What upgrades carry**: renders, scripts, deliveries and one automation in progress; no publication, and few videos.
- **A lost region**, a restore of a real table, an attacker with AWS credentials.
- **Other commits.** A result is true for the code of its day. \`npm test\` repeats a small part of the simulator, the model, the fuzz and the kills.`

export function proofPage(results: ProofResults): string {
  const parts = [
    '# Proof',
    'Written by `npm run proof`; do not edit.',
    `What the service promises, the instruments that break it to find a promise that does not hold, and what they last showed. Each stores its
figures with \`RESULTS=1\` in [test/results](../test/results); how they work is in decisions [52](decisions/0052-the-simulator.md) and
[53](decisions/0053-proof.md). Every command runs on a fresh clone and repeats its result.`,
    '## Promises',
    'All are checked at the end of every seed of the simulator, and after the faults of the real local run as far as its state at rest shows them.',
    markdownTable(
      ['', 'Promise', 'Also among the faults of a seed', 'Also after those of the local run'],
      invariants.map(({ name, promise, always, atRest }) => [name, promise, always ? 'yes' : '', atRest ? 'yes' : '']),
    ),
    '## Instruments',
    markdownTable(
      ['Command', 'What it does', 'Last result', 'Date'],
      names.map((name) => instrumentRow(name, results)),
    ),
    ...(results.simulator || results.faults ? ['## Faults injected', ...faultSections(results)] : []),
    ...mutantSection(results),
    ...alarmSection(),
    ...upgradeSection(),
    notShown,
  ]
  return `${parts.join('\n\n')}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(join(root, 'docs/proof.md'), proofPage(readProofResults()))
