/** What holds for every call, for keys that repeat one, and for the account. Sources: api.md, "Endpoints"; decisions.md 1 and 5. */
import type { Rules } from './rule-table.ts'

export const calls = {
  'calls.bearer-key':
    'Every call carries its key as `Authorization: Bearer`; without a valid one it is a 401 on every path.',
  'calls.record-envelope': 'A single record is answered as `{ data }`.',
  'calls.page-envelope': 'A page is answered as `{ data, paging: { limit, offset, total } }`.',
  'calls.utc-timestamps': 'Times are ISO 8601 in UTC.',
  'calls.opaque-ids': 'Ids are a kind, `_` and letters and digits, at most 64 characters; they sort by time.',
  'calls.success-codes': '201 where a record with an id of its own is made, 202 where a job is queued, 200 otherwise.',
  'calls.foreign-is-404': 'A record of another workspace is a 404.',
  'calls.key-shape':
    'A key is `rs_live_`, 43 characters of secret and 6 of checksum; a malformed one is refused without a read.',
} as const satisfies Rules

export const idempotency = {
  'idempotency.optional': 'The `Idempotency-Key` header may be left out.',
  'idempotency.marked-actions': 'Exactly the actions that are marked so take the header.',
  'idempotency.replays-first-answer': 'A key that is used again gets the first answer instead of a second action.',
  'idempotency.acts-once': 'A repeat cannot generate, render, publish or charge twice.',
  'idempotency.key-length': 'A key is 1 to 255 characters long, anything else is a 400; a UUID will do.',
  'idempotency.first-status': 'A replay repeats the first status.',
  'idempotency.scope': 'A key counts for its workspace, method and path.',
  'idempotency.kept-24-hours': 'An answer is kept for 24 hours.',
  'idempotency.one-transaction': 'The answer is written with the action or not at all.',
  'idempotency.refusals-not-kept':
    '400, 401, 404 and refusals before the action are not kept: the key may still succeed.',
  'idempotency.twins': 'Of requests that come at once one acts, and all of them get its answer.',
  'idempotency.replay-header': 'A replay carries `Idempotent-Replayed: true`.',
  'idempotency.mismatch-header': 'Another body under a used key is replayed too, with `Idempotency-Mismatch: true`.',
  'idempotency.synchronous-limit':
    'A synchronous action that takes longer than 25 s is a 503 `unavailable` with `Retry-After`, and goes on.',
  'idempotency.synchronous-join':
    'A retry with the key joins the running action: 409 `idempotency-in-progress` until it ended.',
  'idempotency.keyless-join':
    'Without a key, the same request on the same video joins the running action instead of paying twice.',
} as const satisfies Rules

export const account = {
  'account.get.shape':
    'GET / tells the workspace, its plan, its credits (video and avatar) and its limits with what is used.',
  'account.get.one-record': 'It reads the workspace record and nothing else beside the key.',
  'account.get.verifies-key': 'It is the cheapest way to verify a key.',
} as const satisfies Rules
