/** The table of limits, the plans and the prices. Sources: api.md, "Limits"; decisions.md 4. */
import type { Rules } from './rule-table.ts'

export const limits = {
  'limits.api-keys': 'A workspace has at most 25 API keys.',
  'limits.webhook-endpoints': 'A workspace has at most 25 webhook endpoints; the 26th is a 409 `limit-reached`.',
  'limits.page-size': 'A page holds 1 to 100 records, 50 where nothing is said: videos and clips.',
  'limits.offset': 'An offset is at least 0 and 0 where nothing is said: videos and clips.',
  'limits.title-search': 'A search for a title has at most 100 characters.',
  'limits.sub-type-filter': 'A filter by subType has at most 40 characters.',
  'limits.idempotency-key': 'An `Idempotency-Key` has at most 255 characters.',
  'limits.caption-words': 'A PUT of captions holds at most 6000 words.',
  'limits.caption-pages': 'A PUT of captions holds at most 2000 pages.',
  'limits.broll-segments': 'A PUT of b-rolls holds at most 500 segments.',
  'limits.scenes': 'A video has at most 50 scenes.',
  'limits.scene-duration': 'An AI scene takes 5 to 20 seconds; 3 to 5 only come about by clamping in the pipeline.',
  'limits.new-scene-slot': 'A new scene takes 6 seconds.',
  'limits.webhook-acknowledgement': 'A delivery is acknowledged within 8 seconds.',
  'limits.delivery-attempts': 'A delivery is tried 6 times, about 4 s, 16 s, 64 s, 4 min and 17 min apart.',
  'limits.auto-disable': '25 failures in a row disable an endpoint.',
  'limits.delivery-retention': 'Delivery rows are kept for 7 days.',
  'limits.publish-duplicate': 'The same video and caption go to an account once in 24 hours.',
  'limits.default-schedule': 'A blueprint without a schedule publishes daily at 09:00.',
  'limits.body-size': 'A body has at most 256 KB, 4 MB where a timeline is replaced; more is a 413.',
  'limits.generation-counts': 'A generation counts against credits, monthly generations, storage and duration.',
  'limits.automations-count': 'Automations count against the limit of the plan, exactly, also where many come at once.',
  'limits.deleted-bytes': 'What a deleted video frees is credited to the storage quota.',
  'limits.deleted-automation-bytes': 'What a deleted automation frees is credited to the storage quota.',
} as const satisfies Rules

export const plansAndPrices = {
  'plans.table': 'free, starter, pro, scale and self-hosted have the limits of the plan table.',
  'plans.self-hosted': 'self-hosted is without limits: what a fresh deployment and the local run give.',
  'prices.generation':
    'A generation costs 10 credits per started minute of the requested duration, 16 with an expressive voice.',
  'prices.actions': 'Script, description and re-cut cost 10 credits, a scene image 2, a render nothing.',
  'prices.clip': 'A clip that is regenerated costs a generation, one that reuses nothing.',
  'prices.presenter': 'A presenter costs 1 avatar credit per 5 seconds.',
  'credits.reserved':
    'Credits are reserved when a job is accepted, captured when it completes, released when it fails.',
  'credits.ledger': 'Entries of the ledger are never changed.',
} as const satisfies Rules

export const quotes = {
  'quotes.answer':
    'POST /quotes takes a paid action with its body and answers credits, seconds and about what a vendor would cost, valid for 15 minutes.',
  'quotes.binding': 'The action with `Quote: <id>` costs exactly what was quoted.',
  'quotes.expired':
    'An expired quote, and one for another request, workspace or price, is refused with `quote-expired`.',
  'quotes.pure': 'A quote charges, starts and stores nothing.',
  'quotes.refusals': 'A quote is refused with what would refuse the action.',
} as const
