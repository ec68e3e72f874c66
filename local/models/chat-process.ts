/** The child process of a GGUF model. */
import { loadChat } from './chat.ts'
import { serveRequests } from './child.ts'

await serveRequests(loadChat)
