/** Tags, headers and parameters of the OpenAPI document that many operations share. */
import { idPattern } from '../../domain/core/bounded.ts'
import { errorLengthsMax } from '../errors.ts'
import { headerLengthsMax } from '../header-lengths.ts'
import { componentRef, type OpenApiObject } from './schemas.ts'

/** The description of each tag, in the order of the document. */
export const tags: Record<string, string> = {
  account: 'The workspace of the API key.',
  keys: 'The API keys of the workspace, also those of MCP connections.',
  videos: 'From a brief to a rendered video.',
  automations: 'Blueprints whose clips are created and published on a schedule.',
  uploads: 'From a file of yours to a video.',
  publishing: 'The values that a brief and a publication can name.',
  profiles: 'Groups of social accounts to publish to.',
  quotes: 'Prices of paid actions, before they are charged.',
  connections: 'Connecting social accounts to a profile.',
  events: 'What happened in the workspace, in order.',
  webhooks: 'Endpoints that receive events, and the log of deliveries.',
}

const header = (description: string, schema: OpenApiObject) => ({ description, schema })
const text = (maxLength: number): OpenApiObject => ({ type: 'string', maxLength })
export const headers: Record<string, OpenApiObject> = {
  'X-Request-Id': header('Identifies the request in the log of the service.', text(errorLengthsMax.requestId)),
  ETag: header(
    'The revision of the video: all that its client edits. An edit with `If-Match` and this value applies only while the video has it.',
    text(headerLengthsMax.revision),
  ),
  'Idempotent-Replayed': header('This is the stored response of an earlier request with the same key.', {
    const: 'true',
  }),
  'Idempotency-Mismatch': header('The earlier request with this key had another body.', { const: 'true' }),
  'WWW-Authenticate': header('The authentication scheme.', { const: 'Bearer' }),
  'RateLimit-Policy': header(
    'The request limits that this request counts against: `q` requests in `w` seconds, at once at most `burst`. Absent without limits.',
    text(headerLengthsMax.rateLimit),
  ),
  RateLimit: header(
    'Of each limit, the requests that remain (`r`), and the seconds until all are available again (`t`).',
    text(headerLengthsMax.rateLimit),
  ),
  'Retry-After': header('Seconds to wait before a retry.', { type: 'integer' }),
}
/** Headers of every response of an authenticated request. */
export const commonHeaders = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']
export const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, componentRef('headers', name)]))

export const parameters: Record<string, OpenApiObject> = {
  ServiceWorkspace: {
    name: 'X-Service-Workspace',
    in: 'header',
    description: 'With the key of an organization: one of its workspaces. Any other value is a 401.',
    schema: { type: 'string', pattern: '^wsp_[0-9a-z]{26}$' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`wait=N`: wait at most N seconds (0 to 25) for the job before responding.',
    schema: { type: 'string', maxLength: headerLengthsMax.prefer },
  },
  Quote: {
    name: 'Quote',
    in: 'header',
    description: 'The id of a quote for this request: it costs what was quoted, or is refused with `quote-expired`.',
    schema: { type: 'string', maxLength: headerLengthsMax.quote },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the video as it was read: the edit is refused with `precondition-failed` where the video has changed since. Also a list of tags, or `*`.',
    schema: { type: 'string', maxLength: headerLengthsMax.ifMatch },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat of the key within 24 hours gets the first response and has no other effect.',
    schema: { type: 'string', minLength: 1, maxLength: headerLengthsMax.idempotencyKey },
  },
}

/** Query parameters of every list. */
export const pageParameters: Readonly<Record<string, object>> = {
  limit: { description: 'Maximum number of records in the page.' },
  offset: { description: 'Number of records to skip.' },
}

const pathParameterDescriptions: Record<string, string> = {
  id: 'The id of the record that the path names.',
  sceneId: 'The id of the scene.',
  brollId: 'The id of the b-roll segment.',
  platform: 'The id of the platform.',
}

export const pathParameter = (id: string) => ({
  name: id,
  in: 'path',
  required: true,
  description: pathParameterDescriptions[id] ?? 'The id of the record.',
  schema: { type: 'string', pattern: idPattern.source },
})
