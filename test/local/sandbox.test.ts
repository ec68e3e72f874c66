import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { adjustableClock } from '../../local/sandbox/server/clock.ts'
import { createSandbox } from '../../local/sandbox/server/server.ts'
import { useTestVideos, verticalVideo } from '../platforms/shared/test-videos.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const films = useTestVideos()

async function sandboxHere(directory = temporaryDirectory()) {
  const sandbox = await createSandbox({ directory })
  const door = await sandbox.start()
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await door.stop()
    isStopped = true
  }
  onTestFinished(stop)
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(door.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return { sandbox, url: door.url, post, stop, directory }
}

const user = { externalId: '7', username: 'ann' }
const creator = '/tiktok/api/v2/post/publish/creator_info/query/'
const status = '/tiktok/api/v2/post/publish/status/fetch/'
const anyPost = {
  platform: 'youtube',
  account: '7',
  externalId: 'a1',
  knownAs: [],
  url: null,
  caption: 'A <b>bold</b> & "quoted" caption',
  title: '<script>',
  sha256: 'a'.repeat(64),
  at: 0,
  fields: {},
} as const

describe('the sandbox', () => {
  it('refuses a request without a token, with an expired one, and with a revoked one', async () => {
    const { sandbox, post } = await sandboxHere()
    const asWith = (token: string) => post(creator, {}, { authorization: `Bearer ${token}` })
    const token = sandbox.issueToken('tiktok', user)
    expect((await post(creator, {})).status).toBe(401)
    expect((await asWith(token)).status).toBe(200)
    sandbox.clock.advance(86_400_000)
    expect((await asWith(token)).status).toBe(401)
    const other = sandbox.issueToken('tiktok', user)
    sandbox.tokens.revoke(other)
    expect((await asWith(other)).status).toBe(401)
    expect((await asWith(sandbox.issueToken('youtube', user))).status).toBe(401)
  })

  it('refuses a field that is not documented', async () => {
    const { sandbox, post } = await sandboxHere()
    const headers = { authorization: `Bearer ${sandbox.issueToken('tiktok', user)}` }
    const answered = await post(status, { publish_id: 'x', publish_now: true }, headers)
    expect([answered.status, await answered.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_params', message: expect.stringContaining('publish_now') } },
    ])
  })

  it('refuses a body without a length', async () => {
    const { url } = await sandboxHere()
    const body = Readable.toWeb(Readable.from([Buffer.from('film')]))
    const sent = { method: 'PUT', body, duplex: 'half' } as RequestInit
    expect((await fetch(`${url}/tiktok/upload/video/?upload_id=1`, sent)).status).toBe(411)
  })

  it('injects a planned fault once, at the intended call', async () => {
    const { sandbox, post } = await sandboxHere()
    const headers = { authorization: `Bearer ${sandbox.issueToken('tiktok', user)}` }
    await post('/__sandbox/faults', { platform: 'tiktok', op: 'creator', nth: 2, kind: 'http:503' })
    const statuses = [
      await post(creator, {}, headers),
      await post(creator, {}, headers),
      await post(creator, {}, headers),
    ]
    expect(statuses.map((answered) => answered.status)).toEqual([200, 503, 200])
    const misspelt = await post('/__sandbox/faults', { platform: 'tiktok', op: 'creator', kind: 'http:503', nht: 2 })
    expect(misspelt.status).toBe(400)
  })

  it('has no token in its journal', async () => {
    const { sandbox, post, url } = await sandboxHere()
    const token = sandbox.issueToken('tiktok', user)
    await post(creator, {}, { authorization: `Bearer ${token}` })
    await fetch(`${url}/threads/graph/v1.0/1?fields=permalink&access_token=${token}`)
    const journal = await (await fetch(`${url}/__sandbox/journal`)).text()
    expect(journal).toContain('Bearer ***')
    expect(journal).not.toContain(token)
  })

  it('shows a post after its processing time', async () => {
    const { sandbox, url, post } = await sandboxHere()
    const listed = async () => JSON.parse(await (await fetch(`${url}/__sandbox/posts?account=7`)).text()).posts.length
    sandbox.publishedPosts.add({ ...anyPost, at: sandbox.clock.now() + 60_000 })
    expect(await listed()).toBe(0)
    await post('/__sandbox/clock', { advanceSeconds: 60 })
    expect(await listed()).toBe(1)
  })

  it('keeps posts and tokens across restarts', async () => {
    const first = await sandboxHere()
    const token = first.sandbox.issueToken('tiktok', user)
    first.sandbox.publishedPosts.add(anyPost)
    await first.stop()
    const second = await sandboxHere(first.directory)
    expect(second.sandbox.publishedPosts.list()).toEqual([anyPost])
    expect(second.sandbox.tokens.verify('tiktok', token)).toEqual(user)
  })

  it('issues tokens without a user interaction', async () => {
    const { post } = await sandboxHere()
    const given = await (await post('/__sandbox/accounts', { platform: 'tiktok', ...user })).json()
    const { access } = given as { access: string }
    expect((await post(creator, {}, { authorization: `Bearer ${access}` })).status).toBe(200)
    expect((await post('/__sandbox/accounts', { platform: 'nowhere', ...user })).status).toBe(400)
  })

  it('has a poster of each video, which browsers show before they load the video', async () => {
    const { sandbox, url } = await sandboxHere()
    const { read, film } = await films.make(verticalVideo)
    const { sha256 } = await sandbox.media.store(Buffer.concat(await Array.fromAsync(read(0, film.bytes))))
    const text = await sandbox.media.store(Buffer.from('no film'))
    const pictureOf = (name: string) => fetch(`${url}/__sandbox/media/${name}.jpg`)
    const [first, second] = await Promise.all([pictureOf(sha256), pictureOf(sha256)])
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(await first.bytes()).toEqual(await second.bytes())
    expect((await pictureOf(text.sha256)).status).toBe(404)
    expect((await pictureOf('a'.repeat(64))).status).toBe(404)
  })

  it('is faster than real platforms by the factor of its clock, and its tokens last accordingly', () => {
    const clock = adjustableClock(() => 0, 10)
    expect([clock.scaled(40_000), clock.now()]).toEqual([4_000, 0])
  })

  it('shows captions in its feeds, and escapes their markup', async () => {
    const { sandbox, url } = await sandboxHere()
    sandbox.issueToken('youtube', user)
    sandbox.publishedPosts.add(anyPost)
    const page = await (await fetch(url)).text()
    expect(page).toContain('A &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; caption')
    expect(page).toContain('<b>ann</b>')
    expect(page).not.toContain('<script>')
  })
})
