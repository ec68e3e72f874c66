/** A cache of the voices of vendors: one row each, for the whole deployment. */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Voice, VoiceVendorName } from '../domain/videos/voices.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { recordOf } from './core/rows.ts'

export interface CachedVoices {
  voices: Voice[]
  askedAt: string
  /** What the list depends on beside the vendor. */
  configuration?: string
}

export async function findCachedVoices(vendor: VoiceVendorName): Promise<CachedVoices | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: keys.voices(vendor) }))
  return Item && recordOf<CachedVoices>(Item)
}

export async function cacheVoices(vendor: VoiceVendorName, cached: CachedVoices): Promise<void> {
  await table.send(new PutCommand({ TableName: tableName(), Item: { ...keys.voices(vendor), ...cached } }))
}
