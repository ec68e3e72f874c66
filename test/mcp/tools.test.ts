/** The table of tools: small enough for a context, true to the routes, and equal to the generated file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { quotedActions } from '../../lib/contract/requests/quotes.ts'
import { isPaid, type Route } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { toolsets } from '../../lib/mcp/tool.ts'
import { allTools, selectTools } from '../../lib/mcp/tool-list.ts'
import { toolDefinitions, toolRoutes } from '../../lib/mcp/tool-table.ts'
import { mcpFiles } from '../../scripts/mcp/files.ts'

const rows: Record<string, Route> = { ...routes }
const namesOf = (query: Record<string, string>) => selectTools(query).map(({ listed }) => listed.name)

describe('the list of tools', () => {
  it('is what `npm run docs` writes', () => {
    for (const [file, text] of Object.entries(mcpFiles()))
      expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'), file).toBe(text)
    expect(allTools.map(({ listed }) => listed.name)).toEqual(toolDefinitions.map(({ name }) => name))
  })

  it('has at most 24 tools and 8,000 tokens', () => {
    expect(allTools.length).toBeLessThanOrEqual(24)
    // A bound: of this list o200k makes a token of 4.2 bytes, other tokenizers up to a quarter more tokens.
    const tokensMax = Buffer.byteLength(JSON.stringify({ tools: allTools.map(({ listed }) => listed) })) / 3
    expect(tokensMax).toBeLessThanOrEqual(8_000)
  })

  it('is in the guide, tool by tool', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/mcp.md'), 'utf8')
    for (const { listed, toolset } of allTools)
      expect(guide, listed.name).toMatch(new RegExp(`^\\| \`${toolset}\` \\|.*\`${listed.name}\``, 'm'))
  })

  it('is reduced by toolsets and by `readonly`', () => {
    expect(namesOf({ toolsets: 'publishing' })).toEqual(['list_profiles', 'publish_video'])
    expect(namesOf({ toolsets: 'publishing, account', readonly: 'true' })).toEqual([
      'get_account',
      'quote_price',
      'list_profiles',
    ])
    for (const toolset of toolsets) expect(namesOf({ toolsets: toolset }), toolset).not.toEqual([])
    expect(toolsets.flatMap((name) => namesOf({ toolsets: name })).toSorted()).toEqual(namesOf({}).toSorted())
    for (const { request, listed } of selectTools({ readonly: 'true' }))
      expect(request.method === 'GET' || listed.name === 'quote_price', listed.name).toBe(true)
  })

  it.each([
    [{ readonly: 'yes' }, /^query\.readonly/],
    [{ readonly: 'true,true' }, /^query\.readonly/],
    [{ toolsets: 'videos,film' }, /^query\.toolsets/],
    [{ read_only: 'true' }, /^query has an unknown parameter\. Allowed: key, workspaceId, toolsets, readonly\.$/],
    [{ rs_live_secret: '' }, /^(?!.*secret)query has an unknown parameter/],
  ])('refuses the query %j, which would offer other tools than meant', (query, message) => {
    expect(() => selectTools(query as Record<string, string>)).toThrow(message)
  })
})

describe.each(toolDefinitions)('the tool $name', (definition) => {
  const { listed, request, isCharged, isConfirmed, confirmedWith, jobs } = allTools.find(
    ({ listed }) => listed.name === definition.name,
  )!
  const { annotations, inputSchema } = listed
  const row = rows[definition.operation]!

  it('is named by a verb and a noun, and says when to use it', () => {
    expect(listed.name).toMatch(
      /^(get|quote|list|wait|create|edit|regenerate|replace|draw|render|download|delete|publish|run)_[a-z_]+$/,
    )
    expect(listed.description).toMatch(/^[A-Z].{20,}\.$/)
    expect(listed.title).toBe(annotations.title)
  })

  it('runs an operation of the table', () => {
    expect(row).toBeDefined()
    expect(request).toMatchObject({ operation: definition.operation, handler: row.handler })
    expect(row.signature).toBe(`${request.method} ${request.path}`)
    for (const name of definition.alsoRuns ?? []) expect(toolRoutes).toHaveProperty(name)
  })

  it('has all four annotations, which follow from what it does', () => {
    expect(annotations).toEqual({
      title: expect.any(String),
      readOnlyHint: request.method === 'GET' || definition.name === 'quote_price',
      destructiveHint: expect.any(Boolean),
      idempotentHint: annotations.readOnlyHint || request.method !== 'POST',
      openWorldHint: ['publish_video', 'run_automation', 'edit_automation'].includes(definition.name),
    })
    if (annotations.readOnlyHint) expect([annotations.destructiveHint, isConfirmed]).toEqual([false, false])
    if (request.method === 'DELETE' || request.method === 'PUT') expect(annotations.destructiveHint).toBe(true)
  })

  it('asks before it spends, posts or deletes', () => {
    expect(isCharged).toBe(isPaid(row) || definition.operation === 'runAutomation')
    const isFinal = request.method === 'DELETE' || definition.operation === 'publishVideo'
    expect(isConfirmed).toBe(isCharged || isFinal)
    for (const name of Object.keys(confirmedWith)) expect(inputSchema.properties).toHaveProperty(name)
  })

  it('offers a key for repeats and a quote where its route takes them', () => {
    const { properties, required = [] } = inputSchema
    expect('idempotencyKey' in properties).toBe(row.idempotent ?? false)
    const isQuotable = (quotedActions as readonly string[]).includes(definition.operation)
    expect('quote' in properties).toBe(isQuotable)
    const quoted = JSON.stringify(allTools.find(({ listed }) => listed.name === 'quote_price')!.listed.inputSchema)
    expect(quoted.includes(`"${listed.name}"`)).toBe(isQuotable)
    for (const name of [...required, ...Object.values(request.ids), ...Object.keys(request.inside)])
      expect(properties).toHaveProperty(name)
    if (jobs.length > 0) expect(request.method).toBe('POST')
  })
})
