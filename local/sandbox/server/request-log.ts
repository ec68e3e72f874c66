// The log of requests to the sandbox, without secrets: for assertions in tests and for debugging publishers.

interface RequestLogEntry {
  readonly at: number
  readonly platform: string
  readonly op: string
  readonly method: string
  /** With tokens replaced. */
  readonly path: string
  /** With tokens replaced by a placeholder, so that their presence is visible. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number
  /** The status of the response, or null if the connection was closed. */
  readonly status: number | null
  readonly fault: string | null
}

export interface RequestLog {
  add(entry: RequestLogEntry): void
  list(): readonly RequestLogEntry[]
}

const entriesMax = 5_000

export function createRequestLog(): RequestLog {
  let entries: RequestLogEntry[] = []
  return {
    add(entry) {
      const { authorization, ...headers } = entry.headers
      entries.push({
        ...entry,
        path: entry.path.replace(/((?:access_token|fb_exchange_token|client_secret|code)=)[^&]+/g, '$1***'),
        headers: { ...headers, ...(authorization && { authorization: authorization.replace(/\S+$/, '***') }) },
      })
      if (entries.length > 2 * entriesMax) entries = entries.slice(-entriesMax)
    },
    list: () => entries,
  }
}
