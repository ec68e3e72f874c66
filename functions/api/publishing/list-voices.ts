/** Every voice that a brief can name, each with a clip to hear it. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import { listVoices } from '../../../lib/api/routes.ts'
import { voiceView } from '../../../lib/api/views.ts'
import { voices } from '../../../lib/domain/voice.ts'
import { mediaUrl } from '../../../lib/media-url.ts'

export const handler = endpoint(listVoices, async ({ query: { provider, language } }) =>
  voices
    .filter(
      (voice) => (provider ?? voice.provider) === voice.provider && (language ?? voice.language) === voice.language,
    )
    .map((voice) => voiceView(voice, mediaUrl)),
)
