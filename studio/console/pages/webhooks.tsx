/** Webhook endpoints and the log of their deliveries. */
import { useState } from 'preact/hooks'
import type { Delivery, NewWebhook, Webhook } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import {
  ActionProblem,
  Badge,
  Button,
  Checkbox,
  Confirm,
  copyText,
  Dialog,
  Empty,
  Facts,
  Field,
  Loaded,
  Page,
  Secret,
  type Tone,
} from '../components.tsx'
import { formatRelative, formatTime, plural } from '../format.ts'
import { announce } from '../notices.tsx'
import { refresh, useQuery } from '../queries.ts'
import { address, navigate, setParameters } from '../router.ts'

const events: Delivery['event'][] = [
  'video.created',
  'video.generation_completed',
  'video.generation_failed',
  'video.render_completed',
  'video.render_failed',
  'video.scheduled',
  'video.published',
  'video.publish_failed',
  'automation.clip_created',
  'automation.blocked',
  'automation.stopped',
]

const endpointTone = ({ enabled, failureCount }: Webhook): Tone =>
  enabled ? (failureCount > 0 ? 'warn' : 'good') : 'bad'
const endpointText = ({ enabled, failureCount }: Webhook) =>
  enabled ? (failureCount > 0 ? plural(failureCount, 'failed attempt') : 'Enabled') : 'Disabled'

export function Webhooks() {
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewWebhook>()
  const endpoints = useQuery('webhooks', (client, options) => client.webhooks.list({ limit: 100 }, options))
  return (
    <Page
      title="Webhooks"
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          New endpoint
        </Button>
      }
    >
      <Loaded query={endpoints} name="webhooks">
        {({ data }) =>
          data.length > 0 ? (
            <div class="stack">
              <ul class="rows">
                {data.map((endpoint) => (
                  <li key={endpoint.id}>
                    <a href={`/webhooks/${endpoint.id}`}>
                      <span>
                        <strong>{endpoint.url}</strong>
                        <span class="muted">{plural(endpoint.events.length, 'event')}</span>
                      </span>
                      <Badge tone={endpointTone(endpoint)}>{endpointText(endpoint)}</Badge>
                    </a>
                  </li>
                ))}
              </ul>
              <Deliveries />
            </div>
          ) : (
            <Empty title="No endpoint yet">
              <p>An endpoint is an address of yours that the service sends events to, such as the end of a render.</p>
              <Button kind="primary" onClick={() => setCreating(true)}>
                Add an endpoint
              </Button>
            </Empty>
          )
        }
      </Loaded>
      {isCreating && (
        <Dialog title="New endpoint" onClose={() => setCreating(false)}>
          <EndpointForm
            verb="Create"
            onDone={(endpoint) => {
              setCreating(false)
              setCreated(endpoint)
              refresh('webhooks')
            }}
          />
        </Dialog>
      )}
      {created && (
        <Dialog title="Signing secret" onClose={() => navigate(`/webhooks/${created.id}`)}>
          <p>Your program verifies deliveries with this secret. It is shown only now.</p>
          <Secret value={created.secret} />
          <div class="row end">
            <Button kind="primary" onClick={() => navigate(`/webhooks/${created.id}`)}>
              I have stored it
            </Button>
          </div>
        </Dialog>
      )}
    </Page>
  )
}

interface EndpointFormProps {
  endpoint?: Webhook
  verb: string
  onDone: (endpoint: NewWebhook) => void
}

function EndpointForm({ endpoint, verb, onDone }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? 'https://')
  const [chosen, setChosen] = useState<readonly string[]>(endpoint?.events ?? events)
  const save = useAction(
    (client, input: { url: string; events: readonly string[] }) =>
      endpoint ? client.webhooks.edit(endpoint.id, input) : client.webhooks.create(input),
    (result) => onDone(result as NewWebhook),
  )
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run({ url, events: chosen })
      }}
    >
      <Field label="URL">
        {(attributes) => (
          <input
            {...attributes}
            type="url"
            required
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        )}
      </Field>
      <fieldset class="checks">
        <legend>Events</legend>
        {events.map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={chosen.includes(name)}
            onChange={(checked) => setChosen(checked ? [...chosen, name] : chosen.filter((other) => other !== name))}
          />
        ))}
      </fieldset>
      <ActionProblem action={save} />
      <div class="row end">
        <Button
          type="submit"
          kind="primary"
          isRunning={save.isRunning}
          disabled={save.isRunning || chosen.length === 0}
        >
          {verb}
        </Button>
      </div>
    </form>
  )
}

export function WebhookPage({ id }: { id: string }) {
  const query = useQuery(`webhook ${id}`, (client, options) => client.webhooks.get(id, options))
  return (
    <Page
      title="Endpoint"
      parent={{ href: '/webhooks', text: 'Webhooks' }}
      actions={query.data && <EndpointActions endpoint={query.data} />}
    >
      <Loaded query={query} name={`webhook ${id}`}>
        {(endpoint) => (
          <div class="stack">
            <section class="panel">
              <h2>
                {endpoint.url} <Badge tone={endpointTone(endpoint)}>{endpointText(endpoint)}</Badge>
              </h2>
              {endpoint.disabledReason && <p class="problem">{endpoint.disabledReason}</p>}
              <Facts
                rows={[
                  ['Events', endpoint.events.join(', ')],
                  ['Last success', endpoint.lastDeliveryAt ? formatTime(endpoint.lastDeliveryAt) : 'None yet'],
                  ['Created', formatTime(endpoint.createdAt)],
                  ['Id', <code key="id">{endpoint.id}</code>],
                ]}
              />
            </section>
            <Deliveries webhookId={id} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function EndpointActions({ endpoint }: { endpoint: Webhook }) {
  const { id, enabled } = endpoint
  const [dialog, setDialog] = useState<'edit' | 'replay' | 'delete'>()
  const close = () => setDialog(undefined)
  const changed = (text: string) => {
    announce(text)
    refresh('webhook')
    refresh('deliveries')
  }
  const test = useAction(
    (client) => client.webhooks.test(id),
    ({ delivered, responseStatus, durationMs, error }) =>
      announce(
        delivered
          ? `The endpoint acknowledged the test with ${responseStatus} after ${durationMs} ms.`
          : `The test failed: ${error ?? `the endpoint responded with ${responseStatus}.`}`,
      ),
  )
  const toggle = useAction(
    (client) => client.webhooks.edit(id, { enabled: !enabled }),
    () => changed(enabled ? 'The endpoint is disabled.' : 'The endpoint is enabled.'),
  )
  const remove = useAction(
    (client) => client.webhooks.delete(id),
    ({ droppedDeliveries }) => {
      changed(`The endpoint is deleted, with ${plural(droppedDeliveries, 'queued delivery', 'queued deliveries')}.`)
      navigate('/webhooks')
    },
  )
  return (
    <>
      <Button isRunning={test.isRunning} onClick={() => void test.run()}>
        Send a test
      </Button>
      <Button onClick={() => setDialog('replay')}>Replay</Button>
      <Button onClick={() => setDialog('edit')}>Edit</Button>
      <Button isRunning={toggle.isRunning} onClick={() => void toggle.run()}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button kind="danger" onClick={() => setDialog('delete')}>
        Delete
      </Button>
      <ActionProblem action={test} />
      <ActionProblem action={toggle} />
      {dialog === 'edit' && (
        <Dialog title="Edit the endpoint" onClose={close}>
          <EndpointForm
            endpoint={endpoint}
            verb="Save"
            onDone={() => {
              changed('The endpoint is saved.')
              close()
            }}
          />
        </Dialog>
      )}
      {dialog === 'replay' && <Replay id={id} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title="Delete this endpoint?"
          text="Queued deliveries to it are dropped. Its log stays for seven days."
          verb="Delete"
          action={remove}
          onClose={close}
        />
      )}
    </>
  )
}

/** The value of a `datetime-local` field, in the zone of the browser. */
const fieldTime = (time: number) =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

function Replay({ id, onClose }: { id: string; onClose: () => void }) {
  const [from, setFrom] = useState(fieldTime(Date.now() - 3_600_000))
  const [to, setTo] = useState(fieldTime(Date.now()))
  const replay = useAction(
    (client, range: { from: string; to: string }, options) => client.webhooks.replay(id, range, options),
    ({ events }) => {
      announce(`${plural(events, 'event')} will be delivered again.`)
      refresh('deliveries')
      onClose()
    },
  )
  const ends = [
    ['From', from, setFrom],
    ['To', to, setTo],
  ] as const
  return (
    <Dialog title="Replay events" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The minute of the end belongs to the range.
          const end = new Date(Date.parse(to) + 59_999)
          void replay.run({ from: new Date(from).toISOString(), to: end.toISOString() })
        }}
      >
        <p>
          Each event of the range that the endpoint subscribes to is delivered again, at most 1,000 of the last seven
          days.
        </p>
        <div class="columns">
          {ends.map(([label, value, set]) => (
            <Field key={label} label={label}>
              {(attributes) => (
                <input
                  {...attributes}
                  type="datetime-local"
                  required
                  value={value}
                  onInput={({ currentTarget }) => set(currentTarget.value)}
                />
              )}
            </Field>
          ))}
        </div>
        <ActionProblem action={replay} />
        <div class="row end">
          <Button type="submit" kind="primary" isRunning={replay.isRunning}>
            Replay
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const deliveryTone: Record<Delivery['status'], Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' }
const deliveryText: Record<Delivery['status'], string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
}
const logSize = 25

function Deliveries({ webhookId }: { webhookId?: string }) {
  const parameters = address.value.searchParams
  const [event, status] = [parameters.get('event') ?? '', parameters.get('status') ?? '']
  const page = Number(parameters.get('page') ?? 1)
  const filters = { ...(webhookId && { webhookId }), ...(event && { event }), ...(status && { status }) } as {
    event?: Delivery['event']
    status?: Delivery['status']
  }
  const name = `deliveries ${JSON.stringify(filters)} ${page}`
  const query = useQuery(
    name,
    (client, options) =>
      client.webhooks.listDeliveries({ ...filters, limit: logSize, offset: (page - 1) * logSize }, options),
    ({ data }) => (data.some(({ status }) => status === 'pending') ? 3_000 : 15_000),
  )
  const choices = [
    ['event', 'Event', [['', 'Every event'], ...events.map((name) => [name, name])], event],
    ['status', 'Status', [['', 'Every status'], ...Object.entries(deliveryText)], status],
  ] as [string, string, [string, string][], string][]
  return (
    <section class="panel">
      <h2>Deliveries of the last seven days</h2>
      <div class="columns">
        {choices.map(([name, label, options, value]) => (
          <select
            key={name}
            aria-label={label}
            value={value}
            onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value, page: '' })}
          >
            {options.map(([option, text]) => (
              <option key={option} value={option} selected={option === value}>
                {text}
              </option>
            ))}
          </select>
        ))}
      </div>
      <Loaded query={query} name={name}>
        {({ data, paging: { total } }) => (
          <>
            {data.length === 0 && <p class="muted">No delivery{event || status ? ' matches' : ' yet'}.</p>}
            <ul class="lines">
              {data.map((delivery) => (
                <li key={delivery.id}>
                  <DeliveryEntry delivery={delivery} />
                </li>
              ))}
            </ul>
            {total > logSize && (
              <div class="row spread">
                <Button disabled={page <= 1} onClick={() => setParameters({ page: String(page - 1) })}>
                  Newer
                </Button>
                <span class="muted">
                  Page {page} of {Math.ceil(total / logSize)}
                </span>
                <Button disabled={page * logSize >= total} onClick={() => setParameters({ page: String(page + 1) })}>
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function DeliveryEntry({ delivery }: { delivery: Delivery }) {
  const { id, event, status, attempts, responseStatus, lastError, nextAttemptAt, createdAt, payload, url } = delivery
  const resend = useAction(
    (client) => client.webhooks.resendDelivery(id),
    () => {
      announce('The payload is queued again, as a new delivery.')
      refresh('deliveries')
    },
  )
  return (
    <details class="delivery">
      <summary>
        <span>{event}</span>
        <span class="row">
          <time class="muted" dateTime={createdAt} title={formatTime(createdAt)}>
            {formatRelative(createdAt)}
          </time>
          <Badge tone={deliveryTone[status]}>{deliveryText[status]}</Badge>
        </span>
      </summary>
      <div class="stack">
        <Facts
          rows={[
            ['To', url],
            ['Attempts', String(attempts)],
            responseStatus !== null && ['Response', String(responseStatus)],
            lastError !== null && ['Last error', lastError],
            nextAttemptAt !== null && ['Next attempt', formatTime(nextAttemptAt)],
            ['Id', <code key="id">{id}</code>],
          ]}
        />
        <pre>{JSON.stringify(payload, null, 2)}</pre>
        <ActionProblem action={resend} />
        <div class="row end">
          <Button
            onClick={() => {
              void copyText(JSON.stringify(payload)).then(() => announce('The payload is copied as it was sent.'))
            }}
          >
            Copy the payload
          </Button>
          <Button isRunning={resend.isRunning} onClick={() => void resend.run()}>
            Send again
          </Button>
        </div>
      </div>
    </details>
  )
}
