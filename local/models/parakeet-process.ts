/** The child process of Parakeet. */
import { serveRequests } from './child.ts'
import { loadParakeet } from './parakeet.ts'

await serveRequests(loadParakeet)
