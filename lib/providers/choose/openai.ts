/** The OpenAI-compatible server of a capability, with its key. */
import { AccountExpired } from '../../domain/core/failures.ts'
import { type OpenAiCapability, openAiAddress, openAiKeys } from '../../domain/generation/provider-choice.ts'
import { env } from '../../env.ts'
import type { OpenAiServer } from '../openai/server.ts'
import { chosenProviders, readProviderKeys } from './provider-choice.ts'

/** Servers that answer nothing without a key. */
const hostsWithKey = ['api.openai.com', 'openrouter.ai']

/**
 * Throws `AccountExpired` where the model, or the key of a server that needs one, is missing; `ProviderBusy` where the
 * keys cannot be read.
 */
export async function openAiServer(capability: OpenAiCapability): Promise<OpenAiServer> {
  const { baseUrl, model, isShared } = openAiAddress(chosenProviders(), capability)
  const keys = await readProviderKeys()
  const apiKey = keys[openAiKeys[capability]] || (isShared ? keys.openai : undefined)
  const { hostname, host } = new URL(baseUrl)
  if (!apiKey && hostsWithKey.includes(hostname))
    throw new AccountExpired(`This deployment uses ${hostname} for ${capability} and has no key for it.`)
  if (!model) throw new AccountExpired(`This deployment uses ${host} for ${capability} and names no model of it.`)
  return { baseUrl, model, allowLocal: env.allowLocalServers(), ...(apiKey && { apiKey }) }
}
