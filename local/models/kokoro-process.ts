/** The child process of Kokoro. */
import { serveRequests } from './child.ts'
import { loadKokoro } from './kokoro.ts'

await serveRequests(loadKokoro)
