/** The transcriber of a video's source. A paid transcript is only made where captions are requested. */
import { type TranscriberId, transcriberIds } from '../../domain/generation/source.ts'
import type { Video } from '../../domain/records/video.ts'
import { chosenProviders } from './provider-choice.ts'

export const transcriberIdFor = ({ process }: Pick<Video, 'process'>): TranscriberId =>
  transcriberIds[process?.wishes.transcribe ? chosenProviders().transcriber : 'built-in']
