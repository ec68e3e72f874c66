/** The types of the command line; not published. */

/** What the process has, so that tests can replace it. */
export interface Io {
  env: Record<string, string | undefined>
  stdin: AsyncIterable<Uint8Array | string> & {
    isTTY?: boolean | undefined
    setRawMode?: ((raw: boolean) => unknown) | undefined
  }
  stdout: Output
  stderr: Output
  fetch: typeof fetch
  /** Milliseconds since the epoch. */
  now: () => number
  /** Rejects with the reason of the signal. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Aborted by Ctrl-C, and when the reader of stdout has gone. */
  signal: AbortSignal
  platform: string
  /** Starts a program and resolves to whether it could be started. */
  launch: (command: string, args: string[]) => Promise<boolean>
  /** The service that runs on this machine: in the repository only. */
  findLocalService?: (() => { baseUrl: string; apiKey: string } | undefined) | undefined
}

export interface Output {
  write: (text: string) => unknown
  isTTY?: boolean | undefined
  columns?: number | undefined
}

/** Where requests go. */
export interface Connection {
  baseUrl: string
  apiKey: string
  workspaceId?: string | undefined
  /** Where it was found, for `whoami` and `doctor`. */
  source: string
}

/** The JSON schema of a field, as far as flags need it. */
export interface Schema {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: (string | number)[]
  const?: string | number
  anyOf?: Schema[]
  oneOf?: Schema[]
  default?: unknown
}

export interface Operation {
  id: string
  group: string
  verb: string
  method: string
  path: string
  summary: string
  description?: string
  parameters: { name: string; example: string }[]
  input?: { kind: 'body' | 'query'; name: string; schema: Schema; isRequired: boolean; example: unknown }
  returns: Schema
  isPaged: boolean
  /** Its pages follow each other by a cursor. */
  isLog: boolean
  isIdempotent: boolean
  isRevised: boolean
  isQuoted: boolean
  waits: boolean
}

export interface OperationsFile {
  version: string
  operations: Operation[]
  schemas: Record<string, Schema>
  /** A sample of each event. */
  events: Record<string, EventEnvelope>
}

export interface EventEnvelope {
  event: string
  workspaceId: string
  createdAt: string
  sequence?: number
  data: Record<string, unknown>
}

/** A list is separated by commas or repeated; texts are repeated. */
export type FlagKind = 'string' | 'number' | 'boolean' | 'list' | 'texts' | 'json'

export interface Flag {
  /** Kebab case, without dashes: `voice-id`, `process.render`. */
  name: string
  kind: FlagKind
  description: string
  /** The name of the value in the help: `FILE`. */
  placeholder?: string | undefined
  values?: (string | number)[] | undefined
  isNullable?: boolean | undefined
  isRequired?: boolean | undefined
  /** The keys of the body or query that it sets. */
  path?: string[] | undefined
}

export interface Arguments {
  positionals: string[]
  /** By name of the flag. Absent flags are absent. */
  values: Record<string, unknown>
}

export interface Command {
  /** One or two words. */
  name: string
  /** Without a full stop. */
  summary: string
  /** Paragraphs for the help. */
  details?: string[]
  examples: string[]
  flags: Flag[]
  positionals: { name: string; isOptional?: boolean; values?: string[] }[]
  /** Made from a row of the route table. */
  isOperation?: boolean
  /** Resolves to the exit code, or to anything else for 0. */
  run: (context: Context) => Promise<unknown>
}

export interface Context {
  io: Io
  args: Arguments
  print: Printer
  /** @throws Failure without an address and a key. */
  connect: () => Connection
}

export interface Printer {
  /** Whether the reader is a person: by `--human`, else by the terminal. */
  prefersText: boolean
  /** A result: JSON on one line for programs, indented on a terminal, lines of text with `--human`. */
  result: (value: unknown) => void
  /** One record of many, on a line. */
  line: (value: unknown) => void
  text: (text: string) => void
  /** A remark on stderr: a sentence, or for programs `{ "note": … }`. */
  note: (note: string | Record<string, unknown>) => void
}
