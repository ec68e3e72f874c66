/** The voices of vendors as they were when last asked: one row each, for the whole deployment. */
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Voice, VoiceVendorName } from '../domain/videos/voices.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { recordOf } from './core/rows.ts'

export interface OfferedVoices {
  voices: Voice[]
  askedAt: string
}

export async function findOfferedVoices(vendor: VoiceVendorName): Promise<OfferedVoices | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: keys.voices(vendor) }))
  return Item && recordOf<OfferedVoices>(Item)
}

export async function putOfferedVoices(vendor: VoiceVendorName, offered: OfferedVoices): Promise<void> {
  await table.send(new PutCommand({ TableName: tableName(), Item: { ...keys.voices(vendor), ...offered } }))
}
