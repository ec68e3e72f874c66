/**
 * Writes a script from an idea, different from those of the source of the video and of its other clips. Called by the
 * step `write-script` of the generate pipeline.
 */
import { getJson, hasObject } from '../../aws/media-bucket.ts'
import { now } from '../../clock.ts'
import type { ArtefactOwner } from '../../domain/core/artefact.ts'
import { artefactKey } from '../../domain/core/artefact.ts'
import {
  refuseUnstorable,
  type ScriptRequest,
  scriptFingerprint,
  scriptRequests,
} from '../../domain/generation/script.ts'
import type { Script } from '../../domain/records/script.ts'
import type { Video } from '../../domain/records/video.ts'
import { log } from '../../log.ts'
import { chooseResearch } from '../../providers/choose/research.ts'
import { chooseWriter } from '../../providers/choose/writer.ts'
import type { Findings } from '../../providers/research/index.ts'
import { claimScript } from '../../store/script-claims.ts'
import type { StorageOwner } from '../../store/storage-usage.ts'
import { storeOnce } from '../artefacts/store-artefact.ts'

/** Returns the key of the script. Idempotent: a retry finds the script that it wrote and claimed. */
export async function writeUniqueScript(
  { id, workspaceId, parentVideoId }: Video,
  source: ArtefactOwner,
  owner: StorageOwner,
  first: ScriptRequest,
): Promise<string> {
  const [writer, research] = await Promise.all([chooseWriter(), chooseResearch()])
  const keyIn = (of: ArtefactOwner, request: ScriptRequest) =>
    artefactKey(of, 'scripts', [writer.id, research.id, request], 'json')
  const { prompt: idea, language } = first
  let findings: Promise<Findings | null> | undefined
  // A clip keeps the script of its source.
  const sourceKey = keyIn(source, first)
  if (source.videoId !== id && (await hasObject(sourceKey))) return sourceKey
  const family = { workspaceId, sourceId: parentVideoId ?? id, videoId: id }
  for (const request of scriptRequests(id, first)) {
    const key = keyIn(owner, request)
    await storeOnce(owner, key, 'application/json', async () => {
      findings ??= research.find({ idea, language })
      const script = await writer.write({ ...request, findings: await findings })
      refuseUnstorable(script)
      return Buffer.from(JSON.stringify(script))
    })
    const { text } = await getJson<Script>(key)
    if (await claimScript(family, scriptFingerprint(text), now())) return key
  }
  log.warn('script.repeated', { workspaceId, videoId: id })
  return keyIn(owner, first)
}
