/** Profiles with their connected accounts: health, and the link that connects one. */
import { useState } from 'preact/hooks'
import type { PlatformId, Profile, ProfileAccount } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import { ActionProblem, Badge, Button, Dialog, Empty, Loaded, Page, Select, type Tone } from '../components.tsx'
import { formatTime } from '../format.ts'
import { platformName, platformNames } from '../labels.ts'
import { announce } from '../notices.tsx'
import { refresh, useQuery } from '../queries.ts'

const healthTone: Record<ProfileAccount['health'], Tone> = { connected: 'good', expiring: 'warn', expired: 'bad' }
const healthText: Record<ProfileAccount['health'], string> = {
  connected: 'Connected',
  expiring: 'Reconnect within a week',
  expired: 'Reconnect now',
}

export function Accounts() {
  const profiles = useQuery('profiles', (client, options) => client.profiles.list({ limit: 100 }, options))
  return (
    <Page title="Accounts">
      <Loaded query={profiles} name="profiles">
        {({ data }) =>
          data.length > 0 ? (
            <div class="stack">
              {data.map((profile) => (
                <ProfilePanel key={profile.id} profile={profile} />
              ))}
            </div>
          ) : (
            <Empty title="No profile yet">
              <p>The operator of this service creates profiles. Social accounts are connected to them.</p>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

function ProfilePanel({ profile: { id, name, description, isDefault, accounts } }: { profile: Profile }) {
  const [connecting, setConnecting] = useState<PlatformId | ''>()
  const check = useAction(
    (client) => client.profiles.get(id, { refresh: true }),
    () => {
      refresh('profiles')
      announce('The accounts are checked.')
    },
  )
  return (
    <section class="panel">
      <h2>
        <span class="row">
          {name}
          {isDefault && <Badge>Default</Badge>}
        </span>
        <span class="row">
          {accounts.length > 0 && (
            <Button isRunning={check.isRunning} onClick={() => void check.run()}>
              Check all
            </Button>
          )}
          <Button kind="primary" onClick={() => setConnecting('')}>
            Connect an account
          </Button>
        </span>
      </h2>
      {description && <p class="muted">{description}</p>}
      <ActionProblem action={check} />
      {accounts.length === 0 && <p class="muted">No account is connected to this profile.</p>}
      <ul class="lines">
        {accounts.map((account) => (
          <li key={account.id} class="row spread">
            <span class="row">
              <span class="platform" data-platform={account.platform} aria-hidden="true">
                {platformName(account.platform).slice(0, 1)}
              </span>
              <span>
                <strong>{platformName(account.platform)}</strong>
                <br />
                <span class="muted">{account.displayName || account.username}</span>
              </span>
            </span>
            <span class="row">
              <Badge tone={healthTone[account.health]}>{healthText[account.health]}</Badge>
              {account.health !== 'connected' && (
                <Button onClick={() => setConnecting(account.platform)}>Reconnect</Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {connecting !== undefined && (
        <Connect profileId={id} platform={connecting} onClose={() => setConnecting(undefined)} />
      )}
    </section>
  )
}

interface ConnectProps {
  profileId: string
  platform: PlatformId | ''
  onClose: () => void
}

function Connect({ profileId, platform: given, onClose }: ConnectProps) {
  const [platform, setPlatform] = useState<PlatformId>(given || 'tiktok')
  const [link, setLink] = useState<{ url: string; expiresAt: string }>()
  const begin = useAction((client, platform: PlatformId) => client.connections.begin(profileId, { platform }), setLink)
  return (
    <Dialog title="Connect an account" onClose={onClose}>
      {link ? (
        <div class="stack">
          <p>
            {platformName(platform)} asks for your consent in a new tab. The link works once, until{' '}
            {formatTime(link.expiresAt)}.
          </p>
          <a
            class="button primary"
            href={link.url}
            target="_blank"
            rel="noreferrer"
            onClick={() => {
              announce('The account appears here when you have confirmed it.')
              onClose()
            }}
          >
            Continue to {platformName(platform)}
          </a>
        </div>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void begin.run(platform)
          }}
        >
          <Select
            label="Platform"
            value={platform}
            options={Object.entries(platformNames) as [PlatformId, string][]}
            onChange={setPlatform}
          />
          <ActionProblem action={begin} />
          <div class="row end">
            <Button type="submit" kind="primary" isRunning={begin.isRunning}>
              Get the link
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
