// Reddit, after PRAW's recorded tests (https://github.com/praw-dev/praw/tree/main/tests/integration/cassettes, `submit_video`):
// Reddit does not document video uploads.

import * as v from 'valibot'
import { readMultipartForm } from '../server/multipart-form.ts'
import type { SandboxRequest } from '../server/request.ts'
import { type Operation, type PlatformFactory, respond } from './platform.ts'

interface Lease {
  key: string
  mimetype: string
  fields: { name: string; value: string }[]
  endsAt: number
  sha256?: string
  isFit?: boolean
}

const leaseSeconds = 900
/** Delay between submission and post: Reddit processes the video first. */
const processingSeconds = 25

const query = { raw_json: v.literal('1') }
const leaseFields = {
  api_type: v.literal('json'),
  filepath: v.pipe(v.string(), v.minLength(1)),
  mimetype: v.picklist(['video/mp4', 'image/jpeg', 'image/png']),
}
const flag = v.picklist(['true', 'false'])
const submitFields = {
  api_type: v.literal('json'),
  kind: v.literal('video'),
  sr: v.string(),
  title: v.string(),
  text: v.optional(v.string(), ''),
  url: v.string(),
  video_poster_url: v.string(),
  nsfw: flag,
  spoiler: flag,
  resubmit: flag,
  sendreplies: flag,
  validate_on_submit: flag,
  flair_id: v.optional(v.string()),
}
const listFields = { sort: v.literal('new'), limit: v.pipe(v.string(), v.regex(/^([1-9]\d?|100)$/)), ...query }

const errorBody = (status: number, message: string) => respond(status, { message, error: status })
const refused = (code: string, message: string, field: string, more = {}) =>
  respond(200, { json: { errors: [[code, message, field]], ...more } })

export const makeReddit: PlatformFactory = ({ clock, publishedPosts: ledger, media, records }) => {
  const leases = records.collection<Lease>('reddit-lease')

  function lend(ask: SandboxRequest) {
    ask.query(query)
    const { filepath, mimetype } = ask.form(leaseFields)
    const number = records.nextNumber()
    const bucket = mimetype.startsWith('video/') ? 'reddit-uploaded-video' : 'reddit-uploaded-media'
    const key = `${number.toString(36)}4lze1`
    const fields = Object.entries({
      acl: 'private',
      key,
      'x-amz-algorithm': 'AWS4-HMAC-SHA256',
      'x-amz-signature': `signature-of-${number}`,
      success_action_status: '201',
      'content-type': mimetype,
      'x-amz-meta-ext': filepath.split('..').at(-1)!,
      bucket,
      policy: Buffer.from(`policy of ${number}`).toString('base64'),
    }).map(([name, value]) => ({ name, value }))
    leases.put(key, { key, mimetype, fields, endsAt: clock.now() + leaseSeconds * 1000 })
    const action = `${ask.base.replace(/^https?:/, '')}/reddit/s3/${bucket}`
    const asset = { asset_id: key, processing_state: 'incomplete', payload: { filepath } }
    return respond(200, { args: { action, fields }, asset: { ...asset, websocket_url: `wss://example.com/${key}` } })
  }

  async function receive(ask: SandboxRequest) {
    const { fields, file } = await readMultipartForm(ask)
    const lease = leases.get(fields.key ?? '')
    const isEchoed =
      lease?.fields.every(({ name, value }) => fields[name] === value) &&
      Object.keys(fields).length === lease.fields.length &&
      fields.bucket === ask.params.bucket
    if (!lease || !isEchoed || ask.headers.authorization || lease.endsAt <= clock.now() || file.field !== 'file') {
      return respond(403, '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>')
    }
    const { sha256, facts } = await media.store(file.bytes)
    leases.put(lease.key, { ...lease, sha256, isFit: facts?.video !== undefined })
    const location = `${ask.base}/reddit/s3/${fields.bucket}/${lease.key}`
    const xml = `<PostResponse><Location>${location}</Location><Bucket>${fields.bucket}</Bucket><Key>${lease.key}</Key></PostResponse>`
    return respond(201, `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`, { 'content-type': 'application/xml' })
  }

  const leaseAt = (ask: SandboxRequest, url: string, bucket: string) => {
    const place = `${ask.base}/reddit/s3/${bucket}/`
    return url.startsWith(place) ? leases.get(url.slice(place.length)) : undefined
  }

  function submit(ask: SandboxRequest) {
    ask.query(query)
    const wish = ask.form(submitFields)
    const { externalId: account, username } = ask.user
    const film = leaseAt(ask, wish.url, 'reddit-uploaded-video')
    const poster = leaseAt(ask, wish.video_poster_url, 'reddit-uploaded-media')
    const { kind = '', detail = '' } = ask.fault ?? {}
    if (![`u_${username}`, 'videos'].includes(wish.sr)) {
      return refused('SUBREDDIT_NOEXIST', "Hmm, that community doesn't exist. Try checking the spelling.", 'sr')
    }
    if (!wish.title) return refused('NO_TEXT', 'we need something here', 'title')
    if (wish.title.length > 300) return refused('TOO_LONG', 'this is too long (max: 300)', 'title')
    if (!film?.sha256) return refused('BAD_URL', 'you should check that url', 'url')
    if (!poster?.sha256 || !poster.isFit) return refused('BAD_URL', 'you should check that url', 'video_poster_url')
    if (kind === 'duplicate') return refused('ALREADY_SUB', 'that link has already been submitted', 'url')
    if (kind === 'quota-full') {
      const message = "Looks like you've been doing that a lot. Take a break for 2 minutes before trying again."
      return refused('RATELIMIT', message, 'ratelimit')
    }
    if (kind === 'fail' && detail) return refused(detail, 'you are not allowed to do that', 'sr')
    // A video that Reddit cannot process never becomes a post; the failure is reported only over the websocket.
    if (kind !== 'fail' && film.isFit) appear(account, wish, film)
    const page = `https://www.reddit.com/user/${username}/submitted/`
    const data = { user_submitted_page: page, websocket_url: `wss://example.com/${film.key}` }
    return respond(200, { json: { errors: [], data } })
  }

  function appear(account: string, wish: { title: string; text: string; sr: string }, film: Lease) {
    const id = (1_700_000_000 + records.nextNumber()).toString(36)
    ledger.add({
      platform: 'reddit',
      account,
      externalId: `t3_${id}`,
      knownAs: [],
      url: `https://www.reddit.com/r/${wish.sr}/comments/${id}/`,
      caption: wish.text,
      title: wish.title,
      sha256: film.sha256!,
      at: clock.now(),
      fields: { subreddit: wish.sr, key: film.key },
    })
  }

  function list(ask: SandboxRequest) {
    const { limit } = ask.query(listFields)
    if (ask.params.name !== ask.user.username) return errorBody(404, 'Not Found')
    const children = ledger
      .listed({ platform: 'reddit', account: ask.user.externalId }, clock.scaled(processingSeconds * 1000))
      .toReversed()
      .slice(0, Number(limit))
      .map(({ externalId: name, title, caption, at, url, fields }) => ({
        kind: 't3',
        data: {
          name,
          id: name.slice(3),
          title,
          selftext: caption,
          subreddit: fields.subreddit,
          url: `https://v.redd.it/${fields.key}`,
          permalink: new URL(url!).pathname,
          created_utc: Math.floor(at / 1000),
          is_video: true,
        },
      }))
    return respond(200, { kind: 'Listing', data: { after: null, dist: children.length, children } })
  }

  /** Clients without a specific User-Agent are throttled: https://github.com/reddit-archive/reddit/wiki/API#rules */
  const named = (call: Operation): Operation => ({
    ...call,
    handle: (ask) =>
      /^\w+:[\w.]+:v[\w.]+ \(by \/u\/[\w-]+\)$/.test(ask.headers['user-agent'] ?? '')
        ? call.handle(ask)
        : errorBody(429, 'Too Many Requests'),
  })

  const api = '/reddit/oauth'
  return {
    id: 'reddit',
    urls: (base) => ({ api: `${base}${api}` }),
    tokenSeconds: 86_400,
    operations: [
      named({ op: 'lease', method: 'POST', path: `${api}/api/media/asset.json`, needsToken: true, handle: lend }),
      { op: 'upload', method: 'POST', path: '/reddit/s3/{bucket}', needsToken: false, handle: receive },
      named({ op: 'submit', method: 'POST', path: `${api}/api/submit`, needsToken: true, handle: submit }),
      named({ op: 'list', method: 'GET', path: `${api}/user/{name}/submitted`, needsToken: true, handle: list }),
    ],
    errors: {
      failure: (status) => errorBody(status, 'Our CDN was unable to reach our servers'),
      unauthorised: () => errorBody(401, 'Unauthorized'),
      rateLimited: (seconds) => ({
        ...errorBody(429, 'Too Many Requests'),
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(seconds) },
      }),
      malformed: (message) => errorBody(400, message),
    },
  }
}
