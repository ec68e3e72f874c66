/** The query of the route under /events. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { type EventType, eventTypes } from '../../domain/records/event.ts'
import { integerParameter, pageQuery, sequenceMax } from '../schemas.ts'

/** A request must end before the gateway's timeout of 30 s. */
export const eventWaitSecondsMax = 20

const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
const isEventType = (name: string): name is EventType => (eventTypes as readonly string[]).includes(name)

export const listEventsQuery = v.object({
  after: integerParameter(0, sequenceMax, '0'),
  limit: pageQuery.limit,
  wait: integerParameter(0, eventWaitSecondsMax, '0'),
  types: v.optional(
    v.pipe(
      boundedText(500),
      v.check(
        (text) => namesIn(text).every(isEventType),
        `must be events, separated by commas: ${eventTypes.join(', ')}`,
      ),
      v.transform((text) => namesIn(text).filter(isEventType)),
    ),
    '',
  ),
})
