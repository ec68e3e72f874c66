/** Routes: quotes of paid actions. */
import { createQuoteRequest } from '../requests/quotes.ts'
import { quote } from '../resources/quotes.ts'
import { route } from '../route.ts'

export const createQuote = route({
  signature: 'POST /quotes',
  handler: 'quotes/create',
  summary: 'Quote the price of a paid action',
  description:
    'Takes the operation id of the action, the ids of its path, and its body. Refuses what the action would refuse now, with the same codes; nothing is ' +
    'charged, started or stored. For 15 minutes the action with the header `Quote: <id>` costs exactly that, or is refused with ' +
    '`quote-expired`: also with another body or other ids, and where the price has changed. A quote may be used again.',
  body: createQuoteRequest,
  bodyExample: { action: 'createVideo', body: { prompt: 'Three small habits that make mornings calm' } },
  returns: quote,
  permissions: ['timelines', 'voices'],
  refuses: [
    'not-found',
    'warning-no-credits',
    'warning-plan-generations',
    'warning-plan-storage',
    'warning-plan-duration',
    'warning-plan-automations',
    'warning-source-not-ready',
    'wrong-video-type',
    'warning-invalid-input',
    'job-in-progress',
    'limit-reached',
  ],
})
