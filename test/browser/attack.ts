// The program of the hostile page. It runs in the browser, without imports: what it tries, and what it could read.

export interface AttackTargets {
  /** Services that no page may use. */
  closed: string[]
  /** A server that allows every page, to show that the requests work. */
  open: string
  table: string
  key: object
  /** Objects of S3: text, and HTML with a script that posts a message. */
  readable: string
  page: string
  listing: string
  signedListing: string
  guessedListing: string
  uploads: Record<'html' | 'guessed' | 'video', string>
}

export interface AttackReport {
  open: string | null
  readable: string | null
  /** The text that the page could read, by URL and kind of request. */
  closed: { url: string; kind: string; read: string | null }[]
  listings: (string | null)[]
  /** Status codes, or null without a readable response. */
  uploads: Record<'html' | 'guessed' | 'video', number | null>
  hasRunScript: boolean
}

interface BrowserElement {
  append(...children: BrowserElement[]): void
  addEventListener(event: 'load', listener: (event: unknown) => void): void
  submit(): void
}
// The few parts of a browser that are used: its library of types would apply to the whole project.
declare const document: { readonly body: BrowserElement; createElement(name: string): BrowserElement }
declare function addEventListener(event: 'message', listener: (event: { data: unknown }) => void): void

/** The text of a response that the page may read, with its status. */
async function responseOf(url: string, options: RequestInit = {}): Promise<{ status: number; text: string } | null> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(5_000) })
    return response.type === 'opaque' ? null : { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}

export async function attack(targets: AttackTargets): Promise<AttackReport> {
  let hasRunScript = false
  addEventListener('message', ({ data }) => (hasRunScript ||= data === 'ran'))
  const frame = (url: string) => {
    const element = Object.assign(document.createElement('iframe'), { src: url })
    document.body.append(element)
    return new Promise((done) => element.addEventListener('load', done))
  }
  const loaded = frame(targets.page)

  const putItem = JSON.stringify({ TableName: targets.table, Item: { ...targets.key, forged: { S: 'true' } } })
  const amazonHeaders = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.PutItem',
    authorization: 'AWS4-HMAC-SHA256 Credential=S3RVER/20261123/us-east-1/dynamodb/aws4_request',
  }
  const kinds: Record<string, (url: string) => [string, RequestInit]> = {
    get: (url) => [url, {}],
    'with an AWS header': (url) => [url, { method: 'POST', headers: amazonHeaders, body: putItem }],
    'without a preflight': (url) => [url, { method: 'POST', mode: 'no-cors', body: putItem }],
    'a name for this machine': (url) => [
      url.replace(/127[\d.]+/, 'rebound.example'),
      { method: 'POST', body: putItem },
    ],
    queue: (url) => [
      url,
      { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ Action: 'CreateQueue', QueueName: 'forged' }) },
    ],
    control: (url) => [
      `${url}/__sandbox/clock`,
      { method: 'POST', mode: 'no-cors', body: '{"advanceSeconds":1000000000}' },
    ],
  }
  const closed = targets.closed.flatMap((url) =>
    Object.entries(kinds).map(async ([kind, requestOf]) => {
      const response = await responseOf(...requestOf(url))
      return { url, kind, read: response?.text ?? null }
    }),
  )
  for (const url of targets.closed) submitForm(url, putItem)

  const upload = async (url: string, type: string) => {
    const response = await responseOf(url, { method: 'PUT', headers: { 'content-type': type }, body: 'forged' })
    return response?.status ?? null
  }
  const report = {
    open: (await responseOf(...kinds['with an AWS header']!(targets.open)))?.text ?? null,
    readable: (await responseOf(targets.readable))?.text ?? null,
    closed: await Promise.all(closed),
    listings: await Promise.all(
      [targets.listing, targets.signedListing, targets.guessedListing].map(
        async (url) => (await responseOf(url))?.text ?? null,
      ),
    ),
    uploads: {
      html: await upload(targets.uploads.html, 'text/html'),
      guessed: await upload(targets.uploads.guessed, 'video/mp4'),
      video: await upload(targets.uploads.video, 'video/mp4'),
    },
  }
  await loaded
  return { ...report, hasRunScript }
}

/** A form sends text across origins without a preflight. */
function submitForm(action: string, body: string): void {
  const name = `frame-${crypto.getRandomValues(new Uint32Array(1))}`
  document.body.append(Object.assign(document.createElement('iframe'), { name }))
  const form = Object.assign(document.createElement('form'), {
    action,
    method: 'post',
    enctype: 'text/plain',
    target: name,
  })
  form.append(Object.assign(document.createElement('input'), { name: body }))
  document.body.append(form)
  form.submit()
}
