// What the sandbox was asked, without secrets: for assertions on requests, and for whoever wonders why a publisher does not get on.

interface RequestLogEntry {
  readonly at: number
  readonly platform: string
  readonly op: string
  readonly method: string
  /** Tokens in it are replaced. */
  readonly path: string
  /** Tokens in them are replaced, so that it still shows whether there was one. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number
  /** What it was answered with, or null where the connection was cut instead. */
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
