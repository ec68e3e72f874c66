// The repository server of a Bluesky account, limited to what a publisher uses, after its lexicons
// (https://github.com/bluesky-social/atproto/tree/main/lexicons/com/atproto).

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { graphemeCount, utf8ByteLength } from '../../../../lib/platforms/caption-length.ts'
import type { SandboxRequest } from '../../server/request.ts'
import { type Operation, respond, type SandboxDeps } from '../platform.ts'
import { base32 } from './did.ts'

/** A service auth token, in place of the JWT that a real server signs. */
export interface ServiceAuthToken {
  id: string
  did: string
  aud: string
  lxm: string
  /** Milliseconds since 1970. */
  endsAt: number
}

/** A blob in a repository. */
export interface StoredBlob {
  did: string
  cid: string
  size: number
  sha256: string
}

interface StoredRecord {
  uri: string
  cid: string
  value: object
}

/** The DID of the server, which is not derived from its host name. */
export const serverDid = 'did:web:pds.sandbox.example'

export const xrpcError = (status: number, error: string, message: string) => respond(status, { error, message })
const invalid = (message: string) => xrpcError(400, 'InvalidRequest', message)

const permissionFields = { aud: v.string(), lxm: v.string(), exp: v.pipe(v.string(), v.digits()) }
const recordAddress = { repo: v.string(), collection: v.literal('app.bsky.feed.post'), rkey: v.string() }
const natural = v.pipe(v.number(), v.integer(), v.minValue(0))
const feature = v.variant('$type', [
  v.strictObject({ $type: v.literal('app.bsky.richtext.facet#link'), uri: v.pipe(v.string(), v.url()) }),
  v.strictObject({ $type: v.literal('app.bsky.richtext.facet#tag'), tag: v.pipe(v.string(), v.maxGraphemes(64)) }),
])
const record = v.strictObject({
  $type: v.literal('app.bsky.feed.post'),
  text: v.string(),
  facets: v.optional(
    v.array(
      v.strictObject({ index: v.strictObject({ byteStart: natural, byteEnd: natural }), features: v.array(feature) }),
    ),
    [],
  ),
  langs: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/))), v.maxLength(3))),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  embed: v.strictObject({
    $type: v.literal('app.bsky.embed.video'),
    video: v.strictObject({
      $type: v.literal('blob'),
      ref: v.strictObject({ $link: v.string() }),
      mimeType: v.literal('video/mp4'),
      size: v.pipe(natural, v.maxValue(300_000_000)),
    }),
    alt: v.optional(v.string()),
    aspectRatio: v.optional(v.strictObject({ width: natural, height: natural })),
  }),
})

export function repositoryOperations({ clock, publishedPosts: ledger, records }: SandboxDeps): Operation[] {
  const permissions = records.collection<ServiceAuthToken>('bluesky-permission')
  const blobs = records.collection<StoredBlob>('bluesky-blob')
  const stored = records.collection<StoredRecord>('bluesky-record')

  function issueServiceAuthToken(ask: SandboxRequest) {
    const { aud, lxm, exp } = ask.query(permissionFields)
    const endsAt = Number(exp) * 1000
    if (endsAt <= clock.now() || endsAt > clock.now() + 3_600_000) {
      return xrpcError(400, 'BadExpiration', 'expiration is in past, or too far in the future')
    }
    const id = `permission-${records.nextNumber()}`
    permissions.put(id, { id, did: ask.user.externalId, aud, lxm, endsAt })
    return respond(200, { token: id })
  }

  function put(ask: SandboxRequest) {
    const { repo, rkey, collection, record: value } = ask.json({ ...recordAddress, record })
    const { text, facets, embed } = value
    const blob = blobs.get(`${repo}/${embed.video.ref.$link}`)
    if (repo !== ask.user.externalId) return xrpcError(403, 'Forbidden', 'This is another repository.')
    if (!/^[234567abcdefghij][234567a-z]{12}$/.test(rkey)) return invalid('The record key is no TID.')
    if (graphemeCount(text) > 300 || utf8ByteLength(text) > 3000) return invalid('Record/text must not be longer.')
    if (facets.some(({ index }) => index.byteStart >= index.byteEnd || index.byteEnd > utf8ByteLength(text))) {
      return invalid('Record/facets must lie within the text.')
    }
    if (blob?.size !== embed.video.size) return xrpcError(400, 'BlobNotFound', 'Could not find the blob.')
    const uri = `at://${repo}/${collection}/${rkey}`
    const cid = cidOf(0x71, createHash('sha256').update(JSON.stringify(value)).digest())
    const isNew = !stored.get(uri)
    stored.put(uri, { uri, cid, value })
    if (isNew) {
      ledger.add({
        platform: 'bluesky',
        account: repo,
        externalId: uri,
        knownAs: [rkey],
        url: `https://bsky.app/profile/${repo}/post/${rkey}`,
        caption: text,
        title: null,
        sha256: blob.sha256,
        at: clock.now(),
        fields: { createdAt: value.createdAt },
      })
    }
    return respond(200, { uri, cid, validationStatus: 'valid' })
  }

  function get(ask: SandboxRequest) {
    const { repo, collection, rkey } = ask.query(recordAddress)
    const uri = `at://${repo}/${collection}/${rkey}`
    const found = stored.get(uri)
    return found ? respond(200, found) : xrpcError(400, 'RecordNotFound', `Could not locate record: ${uri}`)
  }

  const describe = () => respond(200, { did: serverDid, availableUserDomains: ['.test'], inviteCodeRequired: false })
  const at = (method: string) => `/bluesky/pds/xrpc/com.atproto.${method}`
  return [
    { op: 'describe', method: 'GET', path: at('server.describeServer'), needsToken: false, handle: describe },
    { op: 'permit', method: 'GET', path: at('server.getServiceAuth'), needsToken: true, handle: issueServiceAuthToken },
    { op: 'put', method: 'POST', path: at('repo.putRecord'), needsToken: true, handle: put },
    { op: 'get', method: 'GET', path: at('repo.getRecord'), needsToken: false, handle: get },
  ]
}

/** Of a SHA-256 digest (https://github.com/multiformats/cid): 0x55 for bytes, 0x71 for records. */
export function cidOf(codec: number, digest: Uint8Array): string {
  const bits = [1, codec, 0x12, 0x20, ...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `b${bits
    .match(/.{1,5}/g)!
    .map((five) => base32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')}`
}
