/** The MCP server. Sources: api.md, "Authentication" 7 and 8; decisions.md 7 and 9. */
import type { Rules } from './rule-table.ts'

export const mcp = {
  'mcp.key':
    'A connection has its key in the header `Authorization` or as `key` in its URL; without a valid one it is a 401.',
  'mcp.workspace':
    '`workspaceId` in the URL stands for `X-Service-Workspace`: a workspace of the organization’s own; any other is a 401.',
  'mcp.revocation': 'Revoking a key closes exactly its connection, with the next message.',
  'mcp.acts-once': 'Calls with one idempotency key make one record and one charge, also over the API.',
  'mcp.limits': 'A call counts as the requests of its tool, any other message as a read, each once.',
} as const satisfies Rules
