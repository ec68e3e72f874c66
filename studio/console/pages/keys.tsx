/** API keys of the workspace: created, shown once, revoked. */
import { useState } from 'preact/hooks'
import type { ApiKey, NewApiKey } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import {
  ActionProblem,
  Badge,
  Button,
  Confirm,
  Dialog,
  Empty,
  Field,
  Loaded,
  Page,
  Secret,
  Select,
} from '../components.tsx'
import { formatRelative, formatTime } from '../format.ts'
import { announce } from '../notices.tsx'
import { refresh, useQuery } from '../queries.ts'

const pageSize = 100

export function Keys() {
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewApiKey>()
  const keys = useQuery('keys', (client, options) => client.keys.list({ limit: pageSize }, options))
  if (keys.error?.status === 403)
    return (
      <Page title="Keys">
        <Empty title="This key may not manage keys">
          <p>Sign in with a key of the scope “admin”, or ask the operator of this service for one.</p>
        </Empty>
      </Page>
    )
  return (
    <Page
      title="Keys"
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      <Loaded query={keys} name="keys">
        {({ data }) => (
          <ul class="rows">
            {data.map((key) => (
              <li key={key.id}>
                <KeyRow apiKey={key} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {isCreating && (
        <NewKey
          onClose={() => setCreating(false)}
          onDone={(key) => {
            setCreating(false)
            setCreated(key)
            refresh('keys')
          }}
        />
      )}
      {created && (
        <Dialog title={`Key “${created.name}”`} onClose={() => setCreated(undefined)}>
          <p>Store the key where its client reads it. It is shown only now.</p>
          <Secret value={created.key} />
          <div class="row end">
            <Button kind="primary" onClick={() => setCreated(undefined)}>
              I have stored it
            </Button>
          </div>
        </Dialog>
      )}
    </Page>
  )
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, scope, prefix, lastFour, isCurrent, createdAt, lastUsedAt, revokedAt } = apiKey
  const [isRevoking, setRevoking] = useState(false)
  const revoke = useAction(
    (client) => client.keys.revoke(id),
    () => {
      announce('The key is revoked.')
      setRevoking(false)
      refresh('keys')
    },
  )
  return (
    <div>
      <span>
        <strong>{name}</strong>
        <span class="muted">
          <code>
            {prefix}…{lastFour}
          </code>{' '}
          · created {formatTime(createdAt)} · {lastUsedAt ? `last used ${formatRelative(lastUsedAt)}` : 'never used'}
        </span>
      </span>
      <span class="row">
        {isCurrent && <Badge tone="busy">This key</Badge>}
        <Badge>{scope === 'admin' ? 'Admin' : 'Standard'}</Badge>
        {revokedAt ? (
          <Badge tone="bad">Revoked</Badge>
        ) : (
          !isCurrent && (
            <Button kind="danger" onClick={() => setRevoking(true)}>
              Revoke
            </Button>
          )
        )}
      </span>
      {isRevoking && (
        <Confirm
          title={`Revoke “${name}”?`}
          text="The next request with this key is refused. This cannot be undone."
          verb="Revoke"
          action={revoke}
          onClose={() => setRevoking(false)}
        />
      )}
    </div>
  )
}

function NewKey({ onClose, onDone }: { onClose: () => void; onDone: (key: NewApiKey) => void }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<ApiKey['scope']>('standard')
  const create = useAction(
    (client, input: { name: string; scope: ApiKey['scope'] }, options) => client.keys.create(input, options),
    onDone,
  )
  return (
    <Dialog title="New key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void create.run({ name, scope })
        }}
      >
        <Field label="Name" hint="The program or person that gets it.">
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={100}
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Select
          label="Scope"
          value={scope}
          options={[
            ['standard', 'Standard: everything but keys'],
            ['admin', 'Admin: also keys'],
          ]}
          onChange={setScope}
        />
        <ActionProblem action={create} />
        <div class="row end">
          <Button type="submit" kind="primary" isRunning={create.isRunning}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
