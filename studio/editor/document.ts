/** What an editor changes of a video: its timelines and its theme. Plain data; every edit returns a new document. */
import type { PreviewVideo } from '../preview/composition.ts'

export type EditorDocument = Required<
  Pick<PreviewVideo, 'title' | 'captions' | 'captionsPages' | 'bRolls' | 'presentationScenes' | 'scenes' | 'config'>
>
export type DocumentPart = keyof EditorDocument

export const documentOf = (video: PreviewVideo): EditorDocument => ({
  title: video.title,
  config: video.config,
  captions: video.captions ?? [],
  captionsPages: video.captionsPages ?? [],
  bRolls: video.bRolls ?? [],
  presentationScenes: video.presentationScenes ?? [],
  scenes: video.scenes ?? [],
})

/** The parts that differ. Edits replace what they change, so that identity is enough. */
export const changedParts = (before: EditorDocument, after: EditorDocument): DocumentPart[] =>
  (Object.keys(after) as DocumentPart[]).filter((part) => before[part] !== after[part])
