/** The descriptions in the OpenAPI document: every operation, property, parameter and tag has one. */
import { describe, expect, it } from 'vitest'
import { unusedDescriptions, visitProperties } from '../../lib/contract/openapi/descriptions.ts'
import { openApiDocument } from '../../lib/contract/openapi/document.ts'

const document = openApiDocument()
const operations = [document.paths, document.webhooks]
  .flatMap((group) => Object.values(group))
  .flatMap((methods) => Object.values(methods))

describe('the OpenAPI document describes', () => {
  it.each(operations.map((operation) => [operation.operationId, operation]))('operation %s', (_, operation) => {
    const { description, parameters = [] } = operation as { description?: string; parameters?: Described[] }
    expect(description).toMatch(/^[A-Z`].*\.$/s)
    expect(parameters.filter((parameter) => !parameter.$ref && !parameter.description)).toEqual([])
  })

  const parts = [
    ...Object.entries(document.components.schemas!),
    ...operations.map((operation) => [String(operation.operationId), operation] as const),
  ]
  it.each(parts)('all properties of %s', (name, part) => {
    const undescribed: string[] = []
    visitProperties(part, [name], ({ description }, path) => {
      if (typeof description !== 'string' || !/[.!]$/.test(description)) undescribed.push(path.join('.'))
    })
    expect(undescribed).toEqual([])
  })

  it('properties that exist, with each entry of the table', () => {
    const paths: string[][] = []
    for (const [name, part] of parts) visitProperties(part, [name], (_, path) => paths.push([...path]))
    expect(unusedDescriptions(paths)).toEqual([])
  })

  it('whom to contact', () => {
    expect(document.info).toMatchObject({ contact: { name: expect.any(String), url: expect.any(String) } })
  })
})

interface Described {
  $ref?: string
  description?: string
}
