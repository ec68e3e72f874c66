/** `lib/mcp/tools.json` and `server.json`, as part of `npm run docs`; a test fails where a committed file differs. */

import { inputJsonSchema } from '../../lib/contract/openapi/schemas.ts'
import { basePath, pathParameterNames, splitSignature } from '../../lib/contract/route.ts'
import type { Tool } from '../../lib/mcp/tool.ts'
import { type ToolDefinition, toolDefinitions, traitsOf } from '../../lib/mcp/tool-table.ts'
import packages from '../../package.json' with { type: 'json' }
import { compactJson } from '../compact-json.ts'
import { argumentOfPath, inputSchemaOf } from './input-schema.ts'

export const mcpFiles = (): Record<string, string> => ({
  'lib/mcp/tools.json': `${compactJson(toolDefinitions.map(toolOf))}\n`,
  'server.json': `${JSON.stringify(registryEntry, null, 2)}\n`,
})

/**
 * What the MCP registry says about the server: https://modelcontextprotocol.io/registry/remote-servers. Each operator has a host of
 * their own, so that it is a variable.
 */
const registryEntry = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'dev.reelsmith/reelsmith',
  title: 'Reelsmith',
  description: 'Makes short videos from an idea or a script, edits them, and publishes them.',
  version: packages.version,
  websiteUrl: 'https://reelsmith.dev',
  remotes: [
    {
      type: 'streamable-http',
      url: `https://{host}${basePath}/mcp`,
      variables: {
        host: { description: 'The host of your deployment', isRequired: true, placeholder: 'api.example.com' },
      },
      headers: [
        {
          name: 'Authorization',
          description: 'An API key for this connection alone, so that it can be revoked alone',
          value: 'Bearer {key}',
          isRequired: true,
          isSecret: true,
          variables: {
            key: { description: 'The API key', isRequired: true, isSecret: true, placeholder: 'rs_live_…' },
          },
        },
        {
          name: 'X-Service-Workspace',
          description: 'With the key of an organization: the id of its workspace to act on',
          isRequired: false,
        },
      ],
    },
  ],
}

export function toolOf(tool: ToolDefinition): Tool {
  const { row, annotations, ...traits } = traitsOf(tool)
  const { method, path } = splitSignature(row.signature)
  const query = row.query ? Object.keys((inputJsonSchema(row.query).properties ?? {}) as object) : []
  return {
    listed: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchemaOf(row, tool),
      annotations,
    },
    toolset: tool.toolset,
    request: {
      operation: tool.operation,
      method,
      path,
      handler: row.handler,
      ids: Object.fromEntries(pathParameterNames(row).map((name) => [name, argumentOfPath(row, name)])),
      query,
      inside: { ...tool.inside },
      isIdempotent: row.idempotent ?? false,
    },
    ...traits,
    jobs: [...(tool.jobs ?? [])],
  }
}
