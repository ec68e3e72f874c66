/**
 * How a film gets onto a platform: small steps that can be resumed after any of them. One step alone may make a post appear. Whoever
 * runs the steps writes down that it is about to be done before it is done, does it once, and looks what became of it where no answer came.
 */
import type { PlatformId } from '../domain/platform.ts'

/** What is posted: fixed when publishing is accepted, so that every attempt says the same. */
export interface Post {
  /** Unique to this video, run and account; a platform that takes an id of the client's own is given it. */
  id: string
  caption: string
  /** For platforms whose posts have one. */
  title: string
  language: string
  film: Film
  /** ISO; a platform that takes the time of a post from its client is given it. */
  acceptedAt: string
}

export interface Film {
  bytes: number
  width: number
  height: number
  durationMs: number
  /** Where anybody can fetch the mp4: for platforms that pull. */
  url: string
  /** Of the thumbnail, a JPEG. */
  coverUrl: string
}

/** A connected account as its publisher sees it. */
export interface PostingAccount {
  /** What the platform calls it: a user, page or channel id, a DID. */
  externalId: string
  username: string
  /** Board, subreddit, privacy and the like, in the platform's own words; absent ones have a default in the publisher. */
  settings: Readonly<Record<string, string>>
}

/** Bytes of the film, asked for as they are sent: no step ever holds all of them. */
export type ReadFilm = (from: number, to: number) => AsyncIterable<Uint8Array>

export interface PlatformRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** What is streamed needs its length: hosts of uploads refuse chunked transfer. */
  body?: Uint8Array | { bytes: number; read: () => AsyncIterable<Uint8Array> }
  deadlineMs?: number
}

export interface PlatformAnswer {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  body: Uint8Array
}

/**
 * Sends one request, follows no redirect, reads at most 4 MB. Throws `NotSent` where surely nothing reached the platform, and
 * `NoAnswer` where it may have.
 */
export type PlatformHttp = (request: PlatformRequest) => Promise<PlatformAnswer>

export interface PostingPlace {
  post: Post
  account: PostingAccount
  /** A valid access token: renewing it is not the publisher's business. */
  token: string
  http: PlatformHttp
  readFilm: ReadFilm
  /** ISO. */
  now: string
}

/**
 * Where a post is on its way: ids, offsets, times and addresses of uploads, plain JSON, never a token. Stored after every step, and shown to
 * nobody: an address may be all that an upload asks for.
 */
export interface PostingState {
  step: string
}

export type StepOutcome<State extends PostingState> =
  /** Worked; goes on with the next step, not before so many seconds. */
  | { kind: 'continue'; state: State; waitSeconds?: number }
  /** The post is there. `url` where the platform tells it. */
  | { kind: 'done'; externalId: string; url: string | null }
  /** Its requests surely did nothing: the same step again, not before so many seconds. */
  | { kind: 'retry'; waitSeconds: number; message: string }
  /** The token is refused, and the requests of this step did nothing. Of what an earlier one made appear it says nothing: `isOnItsWay`. */
  | { kind: 'unauthorised' }
  /** The platform will never take this post. The code is the platform's own or one of `PostRefusalCode`; both may be shown. */
  | { kind: 'refused'; code: string; message: string }
  /** The platform says that it has this post already; with its id where it names one. */
  | { kind: 'duplicate'; externalId: string | null; url: string | null }

/** What became of a step that may publish and was not answered. Finding out never publishes. */
export type Found<State extends PostingState> =
  | { kind: 'published'; externalId: string; url: string | null }
  /** Surely not there: goes on with this state. */
  | { kind: 'absent'; state: State }
  | { kind: 'unsure'; waitSeconds: number }

/** Reasons that are known before anything is sent. */
export const postRefusalCodes = [
  'caption-too-long',
  'caption-not-allowed',
  'title-too-long',
  'film-too-long',
  'film-too-short',
  'film-too-large',
  'film-wrong-format',
  'settings-missing',
] as const
export type PostRefusalCode = (typeof postRefusalCodes)[number]

export interface Publisher<State extends PostingState = PostingState> {
  platform: PlatformId
  /** Whether the platform takes such a post, by its documented limits: what can be known without asking it. */
  check(post: Post, account: PostingAccount): { code: PostRefusalCode; message: string } | null
  first(post: Post): State
  /** Whether this step may make the post appear. */
  mayPublish(state: State): boolean
  /** One step: a few requests at most, no loop, no wait. What it throws is `NotSent` or `NoAnswer`, or a fault of ours. */
  step(state: State, place: PostingPlace): Promise<StepOutcome<State>>
  reconcile(state: State, place: PostingPlace): Promise<Found<State>>
}

/** Where a platform is: data, so that a sandbox takes its place without a branch. */
export type PlatformUrls = Readonly<Record<string, string>>
