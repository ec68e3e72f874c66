/** Headers and parameters of the OpenAPI document, which many operations share. */
import { componentRef, type OpenApiObject } from './schemas.ts'

const header = (description: string, type = 'string') => ({ description, schema: { type } })
export const headers: Record<string, OpenApiObject> = {
  'X-Request-Id': header('Names the request in the log of the service.'),
  'Idempotent-Replayed': {
    ...header('The answer is the one of an earlier request with this key.'),
    schema: { const: 'true' },
  },
  'Idempotency-Mismatch': {
    ...header('The earlier request with this key had another body.'),
    schema: { const: 'true' },
  },
  'WWW-Authenticate': { ...header('The scheme of the credential.'), schema: { const: 'Bearer' } },
  'Retry-After': header('Seconds after which the same request may succeed.', 'integer'),
}
export const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, componentRef('headers', name)]))

export const parameters: Record<string, OpenApiObject> = {
  ServiceWorkspace: {
    name: 'X-Service-Workspace',
    in: 'header',
    description: 'The workspace to act on, of an organization whose key is used. Any other value is a 401.',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`wait=N`: how many seconds, 0 to 25, the answer may wait for what was begun.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeat of the key within 24 hours gets the first answer instead of a second action.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

export const pathParameter = (id: string) => ({
  name: id,
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_]{1,64}$' },
})
