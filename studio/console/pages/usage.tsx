/** Plan, credits and limits of the workspace. */
import type { Account } from '../../../packages/client/index.js'
import { Facts, Loaded, Page } from '../components.tsx'
import { formatBytes, formatDuration, formatTime } from '../format.ts'
import { useQuery } from '../queries.ts'

export function Usage() {
  const account = useQuery('account', (client, options) => client.account.get(options))
  return (
    <Page title="Usage and credits">
      <Loaded query={account} name="account">
        {(account) => (
          <div class="halves">
            <Plan account={account} />
            <Limits account={account} />
          </div>
        )}
      </Loaded>
    </Page>
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
