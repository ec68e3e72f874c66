/** All automations, as a list or as a calendar. */
import type { AutomationItem } from '../../../packages/client/index.js'
import { Badge, Empty, Loaded, Page } from '../components.tsx'
import { formatRelative, formatTime } from '../format.ts'
import { automationText, automationTone, platformName } from '../labels.ts'
import { useQuery } from '../queries.ts'
import { address, setParameters } from '../router.ts'
import { scheduleText } from '../schedule-text.ts'
import { Calendar } from './calendar.tsx'

export function Automations() {
  const automations = useQuery('automations', (client, options) => client.automations.list({ limit: 100 }, options))
  const isCalendar = address.value.searchParams.get('view') === 'calendar'
  return (
    <Page
      title="Automations"
      actions={
        <a class="button primary" href="/automations/new">
          New automation
        </a>
      }
    >
      <Loaded query={automations} name="automations">
        {({ data, paging: { total } }) =>
          data.length > 0 ? (
            <>
              <fieldset class="segments">
                <legend class="hidden">View</legend>
                {['List', 'Calendar'].map((name) => (
                  <label key={name}>
                    <input
                      type="radio"
                      name="view"
                      checked={isCalendar === (name === 'Calendar')}
                      onChange={() => setParameters({ view: name === 'Calendar' ? 'calendar' : '' })}
                    />
                    {name}
                  </label>
                ))}
              </fieldset>
              {total > data.length && (
                <p class="banner">
                  Shown are the newest {data.length} of {total}.
                </p>
              )}
              {isCalendar ? <Calendar automations={data} /> : <List automations={data} />}
            </>
          ) : (
            <Empty title="No automation yet">
              <p>An automation makes a new clip from its blueprint for every slot of a schedule, and publishes it.</p>
              <a class="button primary" href="/automations/new">
                Make the first automation
              </a>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}

const List = ({ automations }: { automations: AutomationItem[] }) => (
  <ul class="rows">
    {automations.map((automation) => {
      const { id, title, schedule, publishing, health, stopped } = automation
      return (
        <li key={id}>
          <a href={`/automations/${id}`}>
            <span>
              <strong>{title}</strong>
              <span class="muted">
                {scheduleText(schedule)}
                {publishing.platforms.length > 0 && ` · ${publishing.platforms.map(platformName).join(', ')}`}
              </span>
            </span>
            <span class="row">
              {health.nextScheduledAt && (
                <time class="muted" dateTime={health.nextScheduledAt} title={formatTime(health.nextScheduledAt)}>
                  next {formatRelative(health.nextScheduledAt)}
                </time>
              )}
              <Badge tone={stopped ? 'bad' : automationTone(automation)}>{automationText(automation)}</Badge>
            </span>
          </a>
        </li>
      )
    })}
  </ul>
)
