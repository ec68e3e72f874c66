/** `lib/mcp/tools.json`, as part of `npm run docs`; a test fails where the committed file differs. */

import { inputJsonSchema } from '../../lib/contract/openapi/schemas.ts'
import { pathParameterNames, splitSignature } from '../../lib/contract/route.ts'
import type { Tool } from '../../lib/mcp/tool.ts'
import { type ToolDefinition, toolDefinitions, traitsOf } from '../../lib/mcp/tool-table.ts'
import { compactJson } from '../compact-json.ts'
import { argumentOfPath, inputSchemaOf } from './input-schema.ts'

export const mcpFiles = (): Record<string, string> => ({
  'lib/mcp/tools.json': `${compactJson(toolDefinitions.map(toolOf))}\n`,
})

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
