/** Routes: the event journal of a workspace. */

import { listOf } from '../../domain/core/bounded.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { eventWaitSecondsMax, listEventsQuery } from '../requests/events.ts'
import { anyEventEnvelope } from '../resources/events.ts'
import { route } from '../route.ts'
import { pageLimitMax } from '../schemas.ts'

export const listEvents = route({
  signature: 'GET /events',
  handler: 'events/list',
  summary: 'List the events of the last seven days in the order of `sequence`, and wait for the next ones',
  description:
    'Each is the payload that webhooks deliver, with its `id`. Every event is listed once, and none appears later in front of one that was listed. Send ' +
    '`nextAfter` of the response as `after` of the next request. To begin with the events from now on, request one with `limit=1` and take `lastSequence` as ' +
    '`after`. An empty page is not the end where `nextAfter` is less than `lastSequence`: many events were filtered out.',
  query: listEventsQuery,
  parameters: {
    after: { description: 'Only events with a larger `sequence`; 0 for all.' },
    limit: { description: 'Maximum number of events.' },
    wait: {
      description: `Seconds to wait for an event where there is none, at most ${eventWaitSecondsMax}. A workspace has at most four requests that wait at once.`,
    },
    types: {
      description: `Only these events, separated by commas: ${eventTypes.map((type) => `\`${type}\``).join(', ')}. Default: all.`,
    },
  },
  returns: listOf(anyEventEnvelope, pageLimitMax),
  paged: 'cursor',
  permissions: ['wait'],
})
