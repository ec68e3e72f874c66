/**
 * The API key of this tab and the client that uses it. The key stays in memory and in the storage of the tab, never in
 * storage that outlives the tab; tabs that are open at the same time hand it to each other.
 */
import { computed, signal } from '@preact/signals'
import { type Client, createClient, type ReelsmithError } from '../../packages/client/index.js'

const storageName = 'reelsmith-key'
/** How long a new tab waits for the key of another one. */
const otherTabsMs = 150

type Message = { kind: 'request' } | { kind: 'key'; key: string } | { kind: 'end' }

const key = signal<string | undefined>(undefined)
const tabs = new BroadcastChannel('reelsmith-session')
const send = (message: Message) => tabs.postMessage(message)

/** Why the session ended; undefined where the user did not sign in yet or signed out. */
export const sessionEnd = signal<string | undefined>(undefined)
/** Undefined: nobody is signed in. Each call is attempted once; queries and forms decide about retries. */
export const client = computed(() => (key.value === undefined ? undefined : clientFor(key.value)))

const clientFor = (apiKey: string): Client => createClient({ baseUrl: `${location.origin}/v1`, apiKey, attemptsMax: 1 })

/** Throws where the key is refused or the service cannot be reached. @throws ReelsmithError */
export async function signIn(apiKey: string): Promise<void> {
  await clientFor(apiKey).account.get()
  store(apiKey)
}

export function signOut(reason?: string): void {
  sessionStorage.removeItem(storageName)
  key.value = undefined
  sessionEnd.value = reason
  if (reason === undefined) send({ kind: 'end' })
}

/** The client of a signed-in page. */
export function requireClient(): Client {
  if (!client.value) throw new Error('No key: only pages behind the sign-in call the service.')
  return client.value
}

/** Ends the session where the service no longer accepts its key. */
export function endIfUnauthorized({ status }: ReelsmithError): void {
  if (status === 401) signOut('The service no longer accepts this key. It was revoked, or the workspace is suspended.')
}

function store(apiKey: string): void {
  sessionStorage.setItem(storageName, apiKey)
  sessionEnd.value = undefined
  key.value = apiKey
}

/** The key of `#key=…`, as `npm start` prints it. It leaves the address and the history at once. */
function takeKeyFromAddress(): string | undefined {
  const found = new URLSearchParams(location.hash.slice(1)).get('key')
  if (found !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return found || undefined
}

/** Finds a key: in the address, of this tab, of another tab. */
export async function openSession(): Promise<void> {
  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'request' && key.value !== undefined) send({ kind: 'key', key: key.value })
    if (data.kind === 'key' && key.value === undefined && sessionEnd.value === undefined) store(data.key)
    if (data.kind === 'end') {
      sessionStorage.removeItem(storageName)
      key.value = undefined
    }
  })
  addEventListener('hashchange', () => {
    const given = takeKeyFromAddress()
    if (given) store(given)
  })
  const known = takeKeyFromAddress() ?? sessionStorage.getItem(storageName)
  if (known) return store(known)
  send({ kind: 'request' })
  await new Promise((resolve) => setTimeout(resolve, otherTabsMs))
}
