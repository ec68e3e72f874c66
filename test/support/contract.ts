/** Holds an answer of the service against the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import document from '../../docs/openapi.json' with { type: 'json' }

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'document')

interface Part {
  $ref?: string
  [name: string]: unknown
}
const whole: Part = document
const inside = (part: Part, name: string) => part[name] as Part | undefined

/** Follows names through the document and its references, and tells the address of where they end. */
function place(names: string[]): string {
  let part = whole
  let pointer = ''
  for (const name of names) {
    const next = inside(part, name)
    if (!next) throw new Error(`The document has no ${names.join(' ')}: ${name} is missing.`)
    pointer = next.$ref ? next.$ref.slice(1) : `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    part = next.$ref
      ? next.$ref
          .slice(2)
          .split('/')
          .reduce((at, step) => inside(at, step)!, whole)
      : next
  }
  return `document#${encodeURI(pointer)}`
}

/** `path` as the document has it, `/videos/{id}`. */
export function expectDocumented(method: string, path: string, status: number, body: unknown): void {
  const names = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]
  const fits = ajv.validate({ $ref: place(names) }, body)
  expect(fits, `${method} ${path} ${status}: ${ajv.errorsText()}\n${JSON.stringify(body)}`).toBe(true)
}
