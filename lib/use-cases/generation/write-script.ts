/** Has a script written from an idea that neither the source of the video nor another of its clips tells. */
import { getJson, hasObject } from '../../aws/media-bucket.ts'
import { now } from '../../clock.ts'
import type { ArtefactOwner } from '../../domain/core/artefact.ts'
import { artefactKey } from '../../domain/core/artefact.ts'
import { type ScriptRequest, scriptFingerprint, scriptRequests } from '../../domain/generation/script.ts'
import type { Video } from '../../domain/records/video.ts'
import { log } from '../../log.ts'
import { chooseWriter } from '../../providers/choose/writer.ts'
import type { Script } from '../../providers/writer/index.ts'
import { claimScript } from '../../store/script-claims.ts'
import type { StorageOwner } from '../artefacts/store-artefact.ts'
import { storeOnce } from '../artefacts/store-artefact.ts'

/** Answers where the script lies. A repeat finds what it wrote and claimed. */
export async function writeUniqueScript(
  { id, workspaceId, parentVideoId }: Video,
  source: ArtefactOwner,
  owner: StorageOwner,
  first: ScriptRequest,
): Promise<string> {
  const writer = await chooseWriter()
  const keyIn = (of: ArtefactOwner, order: ScriptRequest) => artefactKey(of, 'scripts', [writer.id, order], 'json')
  // A clip goes on telling the script of its source.
  const told = keyIn(source, first)
  if (source.videoId !== id && (await hasObject(told))) return told
  const family = { workspaceId, sourceId: parentVideoId ?? id, videoId: id }
  for (const order of scriptRequests(id, first)) {
    const key = keyIn(owner, order)
    await storeOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await writer.write(order))))
    const { text } = await getJson<Script>(key)
    if (await claimScript(family, scriptFingerprint(text), now())) return key
  }
  log.warn('script.repeated', { workspaceId, videoId: id })
  return keyIn(owner, first)
}
