/** Points every test process at the emulators of the shared service. */
import { inject } from 'vitest'

process.env.POWERTOOLS_LOG_LEVEL = inject('logLevel')
Object.assign(process.env, inject('environment'))
// The SDK would sign requests to Bedrock with it.
delete process.env.AWS_BEARER_TOKEN_BEDROCK
