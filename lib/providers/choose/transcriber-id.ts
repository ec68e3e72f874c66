/** Which transcriber a video's source is for: its words are bought only for who wants captions of them. */
import { type TranscriberId, transcriberIds } from '../../domain/generation/source.ts'
import type { Video } from '../../domain/records/video.ts'
import { chosenProviders } from './provider-choice.ts'

export const transcriberIdFor = ({ process }: Pick<Video, 'process'>): TranscriberId =>
  transcriberIds[process?.wishes.transcribe ? chosenProviders().transcriber : 'built-in']
