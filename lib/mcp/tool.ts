/** The shape of `tools.json`: the tools of the MCP server with the requests that they make. Data only. */

export const toolsets = ['account', 'videos', 'editing', 'publishing', 'automations'] as const
export type Toolset = (typeof toolsets)[number]

/** The jobs of a video, in order. */
export const jobNames = ['process', 'render', 'publish'] as const
export type JobName = (typeof jobNames)[number]

export interface InputSchema {
  type: 'object'
  properties: Record<string, object>
  required?: string[]
}

/** An entry of `tools/list`. */
export interface ListedTool {
  name: string
  title: string
  description: string
  inputSchema: InputSchema
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/** The request of a route, as data. */
export interface ToolRequest {
  /** The name of the row of the route table. */
  operation: string
  method: string
  /** `/videos/{id}` */
  path: string
  /** File under `functions/api`, without its extension. */
  handler: string
  /** Arguments by the name of the path parameter that they fill: `{ id: 'videoId' }`. */
  ids: Record<string, string>
  /** Arguments that are query parameters. */
  query: string[]
  /** The object in the body that an argument belongs to. */
  inside: Record<string, string>
  /** Accepts an `Idempotency-Key`. */
  isIdempotent: boolean
}

export interface Tool {
  listed: ListedTool
  toolset: Toolset
  request: ToolRequest
  /** Spends credits. */
  isCharged: boolean
  /** Asks for confirmation where the client can: it spends, or cannot be undone. */
  isConfirmed: boolean
  /** Values of arguments with which it asks, too. */
  confirmedWith: Record<string, unknown>
  /** What the user must know before, besides the price; may be empty. */
  warning: string
  /** The jobs that it queues, in order; with the argument `render` also a render. Empty for most. */
  jobs: JobName[]
}
