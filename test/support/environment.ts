/** Every test process reaches the emulators of the one service. */
import { inject } from 'vitest'

process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT'
Object.assign(process.env, inject('environment'))
