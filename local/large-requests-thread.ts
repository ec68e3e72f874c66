/**
 * The thread of `large-requests.ts`. Its priority is lower than that of the thread which answers all other requests, also
 * while it loads the program: that takes more than a second.
 */
import { constants, platform, setPriority } from 'node:os'

// Linux sets the priority of the calling thread, other systems that of the process.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
await import('./large-requests-loop.ts')
