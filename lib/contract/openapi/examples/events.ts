/** Example responses of `routes/events.ts`. */
import type { ExampleScenario } from './scenario.ts'
import { exampleEvents } from './webhooks.ts'

export function eventExamples(scenario: ExampleScenario) {
  const events = exampleEvents(scenario)
  const data = [events['video.created'], events['video.generation_completed']].map((event) => ({
    id: `evt_01kbexample${event.sequence}`,
    ...event,
  }))
  const { sequence } = data.at(-1)!
  return { listEvents: { data, paging: { limit: 50, nextAfter: sequence, lastSequence: sequence, missed: false } } }
}
