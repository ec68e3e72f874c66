/** The logger: one structured line per thing that happened. Never a key, a secret, a signed address or a body. */
import { Logger } from '@aws-lambda-powertools/logger'

export const log = new Logger({ serviceName: 'reelsmith' })
