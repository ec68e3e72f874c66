// Whom the local run asks. The built-in makers, unless a developer chooses otherwise: with `PROVIDERS`, as a deployment does, and keys in
// the environment or in a file of the data directory.

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

/** What an environment asks for. Throws where that is not there, before anything starts. */
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
  throw new Error(`${name} is wrong at ${v.getDotPath(issue) ?? 'the whole'}: ${issue.message}`)
}

/** The secret with the keys, as JSON: those of the file, and over them those of the environment. Read anew each time. */
export function providerKeysSecret(directory: string, { keys }: ProviderConfig): string {
  const file = join(directory, keysFile)
  const stored = existsSync(file)
    ? v.parse(v.pipe(v.string(), v.parseJson(), providerKeys), readFileSync(file, 'utf8'))
    : {}
  return JSON.stringify({ ...stored, ...keys })
}
