/** Every voice that a brief can name, each with a preview as soon as there is one. */

import { voiceView } from '../../../lib/bound-views/index.ts'
import { listVoices } from '../../../lib/contract/routes/workspace.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { loadVoices } from '../../../lib/providers/choose/voices.ts'
import { ensureVoicePreviews } from '../../../lib/use-cases/generation/ensure-voice-previews.ts'

export const handler = endpoint(listVoices, async ({ query: { provider, language } }) => {
  const voices = (await loadVoices()).filter(
    (voice) => (provider ?? voice.provider) === voice.provider && (language ?? voice.language) === voice.language,
  )
  const isAudible = await ensureVoicePreviews(voices)
  return voices.map((voice) => voiceView(voice, isAudible(voice)))
})
