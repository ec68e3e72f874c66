/** One automation: health, slots, schedule, destination and its blueprint. */
import { useState } from 'preact/hooks'
import type { Automation, EditAutomationRequest, PlatformId } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import {
  ActionProblem,
  Badge,
  Button,
  Checkbox,
  Confirm,
  Field,
  Loaded,
  Page,
  Select,
  type Tone,
} from '../components.tsx'
import { formatRelative, formatTime } from '../format.ts'
import { automationText, automationTone, platformName, platformNames } from '../labels.ts'
import { announce } from '../notices.tsx'
import { refresh, useQuery } from '../queries.ts'
import { navigate } from '../router.ts'
import type { Schedule } from '../schedule.ts'
import { capitalize, frequencies, isWeekly, scheduleText, slotCount } from '../schedule-text.ts'

const queryName = (id: string) => `automation ${id}`

const changed = (id: string, text: string) => {
  announce(text)
  refresh(queryName(id))
  refresh('automations')
}

export function AutomationPage({ id }: { id: string }) {
  const query = useQuery(queryName(id), (client, options) => client.automations.get(id, options))
  return (
    <Page
      title={query.data?.title ?? 'Automation'}
      parent={{ href: '/automations', text: 'Automations' }}
      actions={query.data && <Actions automation={query.data} />}
    >
      <Loaded query={query} name={queryName(id)}>
        {(automation) => (
          <div class="halves">
            <div class="stack">
              <Health automation={automation} />
              <Slots id={id} timezone={automation.schedule.timezone} />
            </div>
            <div class="stack">
              <ScheduleForm key={JSON.stringify(automation.schedule)} automation={automation} />
              <DestinationForm
                key={JSON.stringify([automation.publishing, automation.autoRefill])}
                automation={automation}
              />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Actions({ automation: { id, status, source } }: { automation: Automation }) {
  const [isDeleting, setDeleting] = useState(false)
  const isActive = status === 'active'
  const toggle = useAction(
    (client) => client.automations.edit(id, { status: isActive ? 'paused' : 'active' }),
    () => changed(id, isActive ? 'The automation is paused.' : 'The automation is active.'),
  )
  const run = useAction(
    (client, _, options) => client.automations.run(id, options),
    (clip) => {
      changed(id, 'A clip is made and published now.')
      refresh('videos')
      navigate(`/videos/${clip.id}`)
    },
  )
  const remove = useAction(
    (client) => client.automations.delete(id),
    () => {
      announce('The automation is deleted.')
      refresh()
      navigate('/automations')
    },
  )
  return (
    <>
      <a class="button" href={`/videos/${source.id}`}>
        Blueprint
      </a>
      <Button isRunning={toggle.isRunning} onClick={() => void toggle.run()}>
        {isActive ? 'Pause' : 'Activate'}
      </Button>
      <Button kind="primary" isRunning={run.isRunning} onClick={() => void run.run()}>
        Run now
      </Button>
      <Button kind="danger" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <ActionProblem action={toggle} />
      <ActionProblem action={run} />
      {isDeleting && (
        <Confirm
          title="Delete this automation?"
          text="Its blueprint, its clips and all their files are deleted as well. This cannot be undone."
          verb="Delete"
          action={remove}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

const remedies: Record<string, { href: string; text: string }> = {
  'no-accounts': { href: '/accounts', text: 'Connect an account' },
  'accounts-unhealthy': { href: '/accounts', text: 'Reconnect' },
  'plan-publish': { href: '/usage', text: 'See the plan' },
  'no-credits': { href: '/usage', text: 'See credits' },
}

function Health({ automation }: { automation: Automation }) {
  const { health, stopped, schedule, lastRunAt, source } = automation
  return (
    <section class="panel">
      <h2>
        Health <Badge tone={stopped ? 'bad' : automationTone(automation)}>{automationText(automation)}</Badge>
      </h2>
      {stopped && (
        <div class="problem">
          <p>
            <strong>{stopped.label}</strong> {stopped.detail}
          </p>
        </div>
      )}
      {health.blockers.map((blocker) => {
        const remedy =
          blocker.id === 'source-not-ready' ? { href: `/videos/${source.id}`, text: 'Open it' } : remedies[blocker.id]
        return (
          <div key={blocker.id} class="row spread">
            <span>{blocker.label}</span>
            {remedy && (
              <a class="button" href={remedy.href}>
                {remedy.text}
              </a>
            )}
          </div>
        )
      })}
      {health.ready && !stopped && <p class="muted">Nothing is missing.</p>}
      <p>{scheduleText(schedule)}</p>
      {lastRunAt && <p class="muted">The last clip was made {formatRelative(lastRunAt)}.</p>}
      <p>
        <a href={`/automations?view=calendar`}>Calendar of all automations</a>
      </p>
    </section>
  )
}

const outcomeTone: Record<string, Tone> = {
  published: 'good',
  missed: 'warn',
  blocked: 'warn',
  failed: 'bad',
  stopped: 'bad',
}

function Slots({ id, timezone }: { id: string; timezone: string }) {
  const { data } = useQuery(`${queryName(id)} health`, (client, options) => client.automations.health(id, options))
  if (!data) return null
  return (
    <section class="panel">
      <h2>Slots</h2>
      <p class="muted">Times in {timezone}.</p>
      {data.upcoming.length === 0 && <p>No slot is next while the automation is paused.</p>}
      <ul class="lines compact">
        {data.upcoming.map((at) => (
          <li key={at} class="row spread">
            <time dateTime={at}>{formatTime(at, timezone)}</time>
            <span class="muted">{formatRelative(at)}</span>
          </li>
        ))}
      </ul>
      {data.recent.length > 0 && (
        <>
          <h3>Latest</h3>
          <ul class="lines compact">
            {data.recent.map(({ scheduledAt, outcome, clipId }) => (
              <li key={scheduledAt} class="row spread">
                <time dateTime={scheduledAt}>{formatTime(scheduledAt, timezone)}</time>
                <span class="row">
                  {clipId && <a href={`/videos/${clipId}`}>Clip</a>}
                  <Badge tone={outcomeTone[outcome] ?? 'plain'}>{capitalize(outcome)}</Badge>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

function useEdit(id: string, done: string) {
  return useAction(
    (client, edit: EditAutomationRequest) => client.automations.edit(id, edit),
    () => changed(id, done),
  )
}

type Slot = Schedule['days'][number]

function ScheduleForm({ automation: { id, schedule } }: { automation: Automation }) {
  const [frequency, setFrequency] = useState(schedule.frequency)
  const [timezone, setTimezone] = useState(schedule.timezone)
  const [slots, setSlots] = useState<Slot[]>(
    schedule.days.length > 0 ? schedule.days : schedule.times.map((slot) => ({ ...slot, day: 'monday' })),
  )
  const save = useEdit(id, 'The schedule is saved.')
  const weekly = isWeekly(frequency)
  const count = slotCount(frequency)
  const shown = Array.from(
    { length: count },
    (_, index): Slot => slots[index] ?? { ...defaultSlot, ...defaults[index] },
  )
  const set = (index: number, change: Partial<Slot>) =>
    setSlots(shown.map((slot, at) => (at === index ? { ...slot, ...change } : slot)))
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault()
        const entries = weekly ? { days: shown } : { times: shown.map(({ time, mode }) => ({ time, mode })) }
        void save.run({ schedule: { frequency, timezone, ...entries } })
      }}
    >
      <h2>Schedule</h2>
      <div class="columns">
        <Select label="How often" value={frequency} options={frequencies} onChange={setFrequency} />
        <Field label="Time zone">
          {(attributes) => (
            <>
              <input
                {...attributes}
                required
                list="zones"
                value={timezone}
                onInput={({ currentTarget }) => setTimezone(currentTarget.value)}
              />
              <datalist id="zones">
                {Intl.supportedValuesOf('timeZone').map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      {shown.map((slot, index) => (
        <fieldset key={index} class="slot">
          <legend class="hidden">Slot {index + 1}</legend>
          {weekly && (
            <Select
              label="Day"
              value={slot.day}
              options={weekdays.map((day) => [day, capitalize(day)] as const)}
              onChange={(day) => set(index, { day })}
            />
          )}
          <Field label="Time">
            {(attributes) => (
              <input
                {...attributes}
                type="time"
                required
                value={slot.time}
                onInput={({ currentTarget }) => set(index, { time: currentTarget.value })}
              />
            )}
          </Field>
          <Select
            label="Minute"
            value={slot.mode}
            options={[
              ['fixed', 'Exactly then'],
              ['random', 'Random within the hour'],
            ]}
            onChange={(mode) => set(index, { mode })}
          />
        </fieldset>
      ))}
      <ActionProblem action={save} />
      <div class="row end">
        <Button type="submit" isRunning={save.isRunning}>
          Save the schedule
        </Button>
      </div>
    </form>
  )
}

const defaultSlot: Slot = { day: 'monday', time: '09:00', mode: 'fixed' }
const defaults: Partial<Slot>[] = [{}, { day: 'wednesday', time: '14:00' }, { day: 'friday', time: '19:00' }]

function DestinationForm({ automation: { id, publishing, autoRefill } }: { automation: Automation }) {
  const profiles = useQuery('profiles', (client, options) => client.profiles.list({ limit: 100 }, options))
  const [profileId, setProfileId] = useState(publishing.profileId ?? '')
  const [platforms, setPlatforms] = useState<readonly PlatformId[]>(publishing.platforms)
  const [isRefilled, setRefilled] = useState(autoRefill)
  const save = useEdit(id, 'The destination is saved.')
  const all = profiles.data?.data ?? []
  const connected = all.find((profile) => profile.id === profileId)?.accounts.map(({ platform }) => platform) ?? []
  const offered = (Object.keys(platformNames) as PlatformId[]).filter(
    (platform) => connected.includes(platform) || platforms.includes(platform),
  )
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault()
        void save.run({ profileId: profileId || null, platforms, autoRefill: isRefilled })
      }}
    >
      <h2>Destination</h2>
      <Select
        label="Profile"
        value={profileId}
        options={[['', 'None'] as const, ...all.map(({ id, name }) => [id, name] as const)]}
        onChange={setProfileId}
      />
      <fieldset class="checks">
        <legend>Platforms</legend>
        {offered.map((platform) => (
          <Checkbox
            key={platform}
            label={`${platformName(platform)}${connected.includes(platform) ? '' : ' (no account)'}`}
            checked={platforms.includes(platform)}
            onChange={(checked) =>
              setPlatforms(checked ? [...platforms, platform] : platforms.filter((name) => name !== platform))
            }
          />
        ))}
        {offered.length === 0 && <p class="muted">Choose a profile with accounts.</p>}
      </fieldset>
      <Checkbox label="Make the next clip when one was published" checked={isRefilled} onChange={setRefilled} />
      <ActionProblem action={save} />
      <div class="row end">
        <Button type="submit" isRunning={save.isRunning}>
          Save the destination
        </Button>
      </div>
    </form>
  )
}
