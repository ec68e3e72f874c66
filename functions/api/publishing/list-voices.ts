/** Every voice that a brief can name, each with a clip to hear it. */
import { audibleVoices } from '../../../lib/actions/keep-previews.ts'
import { theVoices, voiceVendor } from '../../../lib/actions/providers/voices.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import { listVoices } from '../../../lib/api/routes.ts'
import { voiceView } from '../../../lib/api/views.ts'
import { mediaUrl } from '../../../lib/media-url.ts'

export const handler = endpoint(listVoices, async ({ query: { provider, language } }) => {
  const voices = (await theVoices()).filter(
    (voice) => (provider ?? voice.provider) === voice.provider && (language ?? voice.language) === voice.language,
  )
  return (await audibleVoices(voices, voiceVendor)).map((voice) => voiceView(voice, mediaUrl))
})
