/** What the bundled service sees of the simulator: the free variable `simulator` of its modules under `service/`. */

export interface AwsOptions {
  /** After which an unanswered call fails. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface HttpRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  deadlineMs: number
}

/** Work of a vendor or of ffmpeg, which a stand-in does. */
export interface Work {
  /** Such as `narrate`. */
  name: string
  /** How long it takes, at least and at most. */
  ms: readonly [number, number]
}

export interface Ports {
  now: () => number
  random: () => number
  randomBytes: (size: number) => Uint8Array
  setTimeout: (run: () => void, ms: number) => { cancel: () => void }
  /** One attempt of a call to AWS. Rejects with a `PortFailure`. */
  aws: (service: string, operation: string, input: unknown, options: AwsOptions) => Promise<unknown>
  /** Rejects with `PortFailure`: its name is a reason of `EgressFailed`. */
  http: (request: HttpRequest) => Promise<{ status: number; headers: Record<string, string> }>
  /** Rejects with `PortFailure`: `ProviderBusy`, `ProviderRejected` or `Error`. */
  work: (work: Work) => Promise<void>
  /** The platform's side of a post. Rejects with `PortFailure`: `NotSent` or `NoAnswer`. */
  platform: (
    operation: 'upload' | 'publish' | 'lookUp' | 'refresh',
    post: Record<string, string>,
  ) => Promise<{ externalId: string | null }>
  log: (line: string) => void
  /** The files of the current process. */
  files: () => Map<string, Uint8Array>
}
