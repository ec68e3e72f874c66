/** Every voice that a brief can name, each with a clip to hear it as soon as there is one. */
import { keepPreviews } from '../../../lib/actions/keep-previews.ts'
import { theVoices } from '../../../lib/actions/providers/voices.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import { listVoices } from '../../../lib/api/routes.ts'
import { voiceView } from '../../../lib/api/views.ts'
import { mediaUrl } from '../../../lib/media-url.ts'

export const handler = endpoint(listVoices, async ({ query: { provider, language } }) => {
  const voices = (await theVoices()).filter(
    (voice) => (provider ?? voice.provider) === voice.provider && (language ?? voice.language) === voice.language,
  )
  const isAudible = await keepPreviews(voices)
  return voices.map((voice) => voiceView(voice, isAudible(voice), mediaUrl))
})
