/**
 * The request limits of a workspace. Each instance counts the requests that it serves, and adds them to the shared
 * buckets in portions: a few requests a minute cost no write, and many cost one write per portion. A portion that is not
 * shared yet is all that another instance can miss (`unsharedMax`). Refused requests take no token.
 */
import { setNewest } from '../bounded-map.ts'
import type { Refusal } from '../domain/core/refusal.ts'
import { fullAtAfter, tokenMs } from '../domain/core/token-bucket.ts'
import type { BucketState, RequestClass, RequestLimits } from '../domain/workspaces/request-limits.ts'
import {
  emptyBucketRefusal,
  rateLimitHeaders,
  requestBucket,
  unsharedMax,
} from '../domain/workspaces/request-limits.ts'
import { requestLimitsOf } from '../domain/workspaces/workspace.ts'
import { log } from '../log.ts'
import { countTokens } from '../store/token-buckets.ts'
import { findWorkspace, lastReadWorkspace } from '../store/workspaces.ts'

/** What an instance knows of a bucket, in milliseconds. */
interface LocalBucket {
  /** When the shared bucket is full again, as of the last time that this instance shared its count. */
  sharedFullAt: number
  unshared: number
  /** The first request that is not shared yet. */
  unsharedSince: number
}

type LocalBuckets = Map<RequestClass, LocalBucket>

/** Limits that were read longer ago are read again. */
const limitsFreshMs = 60_000
/** A portion that an instance does not fill within this time is not shared. */
const unsharedMs = 60_000
const workspacesMax = 1_000

export interface RequestLimiterDeps {
  /** The limits as this instance last read them, without any request. Undefined if it did not; null is unlimited. */
  knownLimits: (workspaceId: string) => { limits: RequestLimits | null; readAt: number } | undefined
  readLimits: (workspaceId: string) => Promise<RequestLimits | null>
  countTokens: typeof countTokens
}

export interface RequestLimiter {
  /** Counts a request, or refuses it. The first request of a workspace on an instance is never refused. */
  begin: (workspaceId: string, classes: readonly RequestClass[], now: number) => Refusal | undefined
  /** Shares the count where it fills a portion; returns the headers of the response, none for an unlimited workspace. */
  end: (workspaceId: string, classes: readonly RequestClass[], now: number) => Promise<Record<string, string>>
}

/** The limiter of an instance. Limits are read after the request, whose handler may have read them. */
export function requestLimiter({ knownLimits, readLimits, countTokens }: RequestLimiterDeps): RequestLimiter {
  /** The least recently used comes first. */
  const workspaces = new Map<string, LocalBuckets>()

  function bucketsOf(workspaceId: string): LocalBuckets {
    const buckets: LocalBuckets = workspaces.get(workspaceId) ?? new Map()
    setNewest(workspaces, workspaceId, buckets, workspacesMax)
    return buckets
  }

  const statesOf = (workspaceId: string, classes: readonly RequestClass[], limits: RequestLimits, now: number) =>
    classes.map((requestClass): BucketState => {
      const perMinute = limits[requestClass]
      const { sharedFullAt, unshared } = localBucket(bucketsOf(workspaceId), requestClass)
      return { requestClass, perMinute, fullAt: fullAtAfter(sharedFullAt, unshared, requestBucket(perMinute), now) }
    })

  async function share(workspaceId: string, requestClass: RequestClass, perMinute: number, now: number): Promise<void> {
    const bucket = localBucket(bucketsOf(workspaceId), requestClass)
    const { unshared: tokens, sharedFullAt: seen } = bucket
    if (tokens < unsharedMax(perMinute)) return
    // Concurrent requests must see the portion before the write has returned.
    Object.assign(bucket, { unshared: 0, sharedFullAt: fullAtAfter(seen, tokens, requestBucket(perMinute), now) })
    try {
      const fullAt = await countTokens(
        { workspaceId, name: requestClass },
        tokens * tokenMs(requestBucket(perMinute)),
        seen,
        now,
      )
      bucket.sharedFullAt = Math.max(bucket.sharedFullAt, fullAt)
    } catch (error) {
      log.warn('rate-limit.unshared', { workspaceId, requestClass, tokens, error })
    }
  }

  return {
    begin(workspaceId, classes, now) {
      const limits = knownLimits(workspaceId)?.limits
      const refusal = limits && emptyBucketRefusal(statesOf(workspaceId, classes, limits, now), now)
      if (refusal) return refusal
      for (const requestClass of classes) count(localBucket(bucketsOf(workspaceId), requestClass), now)
      return undefined
    },
    async end(workspaceId, classes, now) {
      const known = knownLimits(workspaceId)
      const limits = known && now - known.readAt < limitsFreshMs ? known.limits : await readLimits(workspaceId)
      if (!limits) return {}
      await Promise.all(classes.map((requestClass) => share(workspaceId, requestClass, limits[requestClass], now)))
      return rateLimitHeaders(statesOf(workspaceId, classes, limits, now), now)
    },
  }
}

function localBucket(buckets: LocalBuckets, requestClass: RequestClass): LocalBucket {
  const known = buckets.get(requestClass)
  if (known) return known
  const bucket = { sharedFullAt: 0, unshared: 0, unsharedSince: 0 }
  buckets.set(requestClass, bucket)
  return bucket
}

function count(bucket: LocalBucket, now: number): void {
  if (bucket.unshared === 0 || now - bucket.unsharedSince >= unsharedMs)
    Object.assign(bucket, { unshared: 0, unsharedSince: now })
  bucket.unshared++
}

export const { begin: countRequest, end: rateLimitHeadersOf } = requestLimiter({
  knownLimits(workspaceId) {
    const last = lastReadWorkspace(workspaceId)
    return last && { limits: requestLimitsOf(last.workspace), readAt: last.readAt }
  },
  async readLimits(workspaceId) {
    try {
      const workspace = await findWorkspace(workspaceId)
      return workspace ? requestLimitsOf(workspace) : null
    } catch (error) {
      // The response is complete: a busy table must not turn it into an error.
      log.warn('rate-limit.unread', { workspaceId, error })
      return null
    }
  },
  countTokens,
})
