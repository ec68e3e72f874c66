// The providers of the local run: the built-in ones, or those of `PROVIDERS`, as in a deployment, with keys from the environment or from
// a file in the data directory.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import {
  type ProviderKeys,
  providerChoice,
  providerKeys,
  vendorUrls,
} from '../lib/domain/generation/provider-choice.ts'

export interface ProviderConfig {
  /** JSON, for `PROVIDERS` and `VENDOR_URLS`. */
  readonly providers: string
  readonly urls: string
  readonly keys: ProviderKeys
}

export const builtInProviderConfig: ProviderConfig = { providers: '{}', urls: '{}', keys: {} }

const keysFile = 'provider-keys.json'

/** Reads the configuration from the environment. Throws if it is not valid, before anything starts. */
export function providerConfigFrom(environment: NodeJS.ProcessEnv): ProviderConfig {
  const { PROVIDERS, VENDOR_URLS, ELEVENLABS_API_KEY, PEXELS_API_KEY, FAL_KEY, HEYGEN_API_KEY } = environment
  return {
    providers: checked('PROVIDERS', PROVIDERS, providerChoice),
    urls: checked('VENDOR_URLS', VENDOR_URLS, vendorUrls),
    keys: {
      ...(ELEVENLABS_API_KEY && { elevenlabs: ELEVENLABS_API_KEY }),
      ...(PEXELS_API_KEY && { pexels: PEXELS_API_KEY }),
      ...(FAL_KEY && { fal: FAL_KEY }),
      ...(HEYGEN_API_KEY && { heygen: HEYGEN_API_KEY }),
    },
  }
}

function checked(name: string, text: string | undefined, schema: v.GenericSchema): string {
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text || '{}')
  if (given.success) return text || '{}'
  const [issue] = given.issues
  throw new Error(`${name} is not valid${v.getDotPath(issue) ? ` at ${v.getDotPath(issue)}` : ''}: ${issue.message}`)
}

/** The secret with the keys as JSON. Keys of the environment override those of the file, which is read at every call. */
export function providerKeysSecret(directory: string, { keys }: ProviderConfig): string {
  const file = join(directory, keysFile)
  const stored = existsSync(file)
    ? v.parse(v.pipe(v.string(), v.parseJson(), providerKeys), readFileSync(file, 'utf8'))
    : {}
  return JSON.stringify({ ...stored, ...keys })
}
