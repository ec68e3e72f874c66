/** Plan, credits and limits of the workspace, and what each run of a month cost. */
import { useState } from 'preact/hooks'
import type { Account, LedgerEntry } from '../../../packages/client/index.js'
import { Badge, Button, Empty, Facts, Loaded, Page, type Tone } from '../components.tsx'
import { formatBytes, formatDuration, formatMonth, formatTime, plural } from '../format.ts'
import { useQuery } from '../queries.ts'

export function Usage() {
  const account = useQuery('account', (client, options) => client.account.get(options))
  return (
    <Page title="Usage and credits">
      <div class="stack">
        <Loaded query={account} name="account">
          {(account) => (
            <div class="halves">
              <Plan account={account} />
              <Limits account={account} />
            </div>
          )}
        </Loaded>
        <Ledger />
      </div>
    </Page>
  )
}

const entriesMax = 100

/** `2026-11` of the month that is so many before the current one (UTC, as months of credits are). */
function monthBefore(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}

function Ledger() {
  const [before, setBefore] = useState(0)
  const month = monthBefore(before)
  const ledger = useQuery(`ledger ${month}`, (client, options) =>
    client.account.ledger({ month, limit: entriesMax }, options),
  )
  return (
    <section class="stack">
      <div class="row spread">
        <h2>Ledger of {formatMonth(month)}</h2>
        <span class="row">
          <Button onClick={() => setBefore(before + 1)}>Month before</Button>
          <Button disabled={before === 0} onClick={() => setBefore(before - 1)}>
            Month after
          </Button>
        </span>
      </div>
      <Loaded query={ledger} name="ledger">
        {({ data, paging }) =>
          data.length === 0 ? (
            <Empty title="No credits moved">
              <p>Work that is accepted reserves its credits here.</p>
            </Empty>
          ) : (
            <>
              <ul class="rows" aria-label={`Ledger of ${formatMonth(month)}`}>
                {data.map((entry) => (
                  <li key={`${entry.runId} ${entry.kind}`}>
                    <Entry entry={entry} />
                  </li>
                ))}
              </ul>
              {paging.total > data.length && (
                <p class="muted">
                  The newest {data.length} of {paging.total.toLocaleString('en')} entries.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const kinds: Record<LedgerEntry['kind'], readonly [name: string, tone: Tone]> = {
  reserve: ['Reserved', 'busy'],
  capture: ['Spent', 'plain'],
  release: ['Released', 'good'],
  grant: ['Granted', 'good'],
}

function Entry({ entry: { kind, runId, credits, unit, metered, at } }: { entry: LedgerEntry }) {
  const [name, tone] = kinds[kind]
  return (
    <div>
      <span>
        <strong>{plural(credits, unit === 'avatar' ? 'avatar credit' : 'credit')}</strong>
        <span class="muted">
          {formatTime(at)} · {runId ? <code>{runId}</code> : 'by the plan'}
          {!metered && ' · not limited by the plan'}
        </span>
      </span>
      <Badge tone={tone}>{name}</Badge>
    </div>
  )
}

const Plan = ({ account: { workspace, plan, credits } }: { account: Account }) => (
  <section class="panel">
    <h2>{plan.name}</h2>
    {credits.balance === null ? (
      <p>This plan has no balance: work is not limited by credits.</p>
    ) : (
      <Meter
        name="Credits left"
        value={credits.balance}
        limit={credits.granted}
        text={`${credits.balance.toLocaleString('en')} of ${(credits.granted ?? 0).toLocaleString('en')}`}
      />
    )}
    <Facts
      rows={[
        ['Spent', `${credits.used.toLocaleString('en')} credits this month`],
        credits.avatar.balance !== null && [
          'Avatar',
          `${credits.avatar.balance.toLocaleString('en')} avatar credits left`,
        ],
        plan.renewsAt !== null && ['Renewed', formatTime(plan.renewsAt)],
        ['Workspace', workspace.name],
        ['Id', <code key="id">{workspace.id}</code>],
      ]}
    />
    <p class="muted">The operator of this service changes plans and grants credits.</p>
  </section>
)

const Limits = ({ account: { limits } }: { account: Account }) => (
  <section class="panel">
    <h2>Limits</h2>
    <Count name="Generations this month" {...limits.generations} />
    <Meter
      name="Storage"
      value={limits.storage.usedBytes}
      limit={limits.storage.limitBytes}
      text={ofLimit(formatBytes(limits.storage.usedBytes), limits.storage.limitBytes, formatBytes)}
    />
    <Count name="Automations" {...limits.automations} />
    <Count name="Webhook endpoints" {...limits.webhooks} />
    <Count name="API keys" {...limits.apiKeys} />
    <Facts
      rows={[
        ['Longest video', limits.maxDurationSeconds === null ? 'Unlimited' : formatDuration(limits.maxDurationSeconds)],
        ['Longest render', limits.maxRenderSeconds === null ? 'Unlimited' : formatDuration(limits.maxRenderSeconds)],
        ['Publishing', limits.publishing ? 'Included' : 'Not included'],
      ]}
    />
  </section>
)

const ofLimit = (used: string, limit: number | null, format: (value: number) => string) =>
  limit === null ? `${used}, unlimited` : `${used} of ${format(limit)}`

const Count = ({ name, used, limit }: { name: string; used: number; limit: number | null }) => (
  <Meter
    name={name}
    value={used}
    limit={limit}
    text={ofLimit(String(used), limit, (value) => value.toLocaleString('en'))}
  />
)

const Meter = ({ name, value, limit, text }: { name: string; value: number; limit: number | null; text: string }) => (
  <div class="meter">
    <div class="row spread">
      <span>{name}</span>
      <span class="muted">{text}</span>
    </div>
    {limit !== null && <progress max={Math.max(limit, 1)} value={value} aria-label={name} aria-valuetext={text} />}
  </div>
)
