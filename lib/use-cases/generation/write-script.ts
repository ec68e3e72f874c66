/** Has a script written from an idea that neither the source of the video nor another of its clips tells. */
import { getJson, hasObject } from '../../aws/media-bucket.ts'
import { now } from '../../clock.ts'
import type { ArtefactOwner } from '../../domain/core/artefact.ts'
import { artefactKey } from '../../domain/core/artefact.ts'
import { ordersOf, type ScriptOrder, scriptMark } from '../../domain/generation/script.ts'
import type { Video } from '../../domain/records/video.ts'
import { log } from '../../log.ts'
import { theWriter } from '../../providers/choose/writer.ts'
import type { Script } from '../../providers/writer/index.ts'
import { claimScript } from '../../store/script-claims.ts'
import type { Owner } from '../artefacts/store-artefact.ts'
import { keepOnce } from '../artefacts/store-artefact.ts'

/** Answers where the script lies. A repeat finds what it wrote and claimed. */
export async function writeNewScript(
  { id, workspaceId, parentVideoId }: Video,
  source: ArtefactOwner,
  owner: Owner,
  first: ScriptOrder,
): Promise<string> {
  const writer = await theWriter()
  const keyIn = (of: ArtefactOwner, order: ScriptOrder) => artefactKey(of, 'scripts', [writer.id, order], 'json')
  // A clip goes on telling the script of its source.
  const told = keyIn(source, first)
  if (source.videoId !== id && (await hasObject(told))) return told
  const family = { workspaceId, sourceId: parentVideoId ?? id, videoId: id }
  for (const order of ordersOf(id, first)) {
    const key = keyIn(owner, order)
    await keepOnce(owner, key, 'application/json', async () => Buffer.from(JSON.stringify(await writer.write(order))))
    const { text } = await getJson<Script>(key)
    if (await claimScript(family, scriptMark(text), now())) return key
  }
  log.warn('script.repeated', { workspaceId, videoId: id })
  return keyIn(owner, first)
}
