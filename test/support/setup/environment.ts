/** Every test process reaches the emulators of the one service. */
import { inject } from 'vitest'

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
Object.assign(process.env, inject('environment'))
// With it the SDK would sign for Bedrock otherwise than everybody else's.
delete process.env.AWS_BEARER_TOKEN_BEDROCK
