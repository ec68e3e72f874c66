/** A writer that asks a model of Bedrock. The model is told what is wanted; what it gives is checked, measured and cut here. */
import { isUnspacedLanguage, speechRate } from '../../domain/generation/speech-duration.ts'
import { type BedrockModel, requestStructuredOutput } from '../structured-output.ts'
import { trimToDuration } from './fit-duration.ts'
import type { DescriptionInput, ScenePrompts, ScenesInput, ScriptInput, Writer } from './index.ts'
import { captionForm, scenePromptsForm, scriptForm } from './output-schemas.ts'
import { titleFor } from './title.ts'

/** Part of the id: counts up when the tasks below change. */
const version = 1

/** A script waits in a state of two minutes, a caption for a request of 25 seconds; each may be asked for twice. */
const deadlineMs = { script: 50_000, caption: 11_000, staging: 50_000 }
/** Voices differ, and one that is slow must not pass what was paid for. */
const shareAllowed = 0.92
const shareAimed = 0.75

export const bedrockWriter = (model: BedrockModel): Writer => ({
  id: `bedrock-${version}/${model.modelId}`,
  async write({ prompt, scriptPrompt, mood, variation, language, durationSecondsMax }) {
    const { title, text } = await requestStructuredOutput({
      ...model,
      task: scriptTask(language, durationSecondsMax),
      material: { idea: prompt, briefing: scriptPrompt, mood, take: variation },
      form: scriptForm,
      tokensMax: 1_000 + 15 * Math.ceil(durationSecondsMax),
      temperature: 0.8,
      deadlineMs: deadlineMs.script,
    })
    return { title: title ?? titleFor(text), text: trimToDuration(text, language, durationSecondsMax * shareAllowed) }
  },
  async describe({ title, text, prompt, language }: DescriptionInput) {
    const written = await requestStructuredOutput({
      ...model,
      task: captionTask(language),
      material: { title, said: text, wishes: prompt },
      form: captionForm,
      tokensMax: 2_000,
      temperature: 0.6,
      deadlineMs: deadlineMs.caption,
    })
    return written.caption
  },
  writeScenePrompts: (wish) => staged(model, wish),
})

const nameOf = (language: string) => new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language

function scriptTask(language: ScriptInput['language'], secondsMax: number): string {
  const unit = isUnspacedLanguage(language) ? 'characters' : 'words'
  const [aim, most] = [shareAimed, shareAllowed].map((share) => Math.floor(secondsMax * share * speechRate[unit]))
  return [
    'You write the script of a short video: what one narrator speaks while pictures are shown.',
    '"idea" is what it is about, "briefing" how its maker wants it, "mood" how it feels. "take" only tells takes apart: another value wants another script.',
    `Write in ${nameOf(language)}, whatever the language of the material is. Begin with a hook that makes people stay, tell a few concrete points in an order that builds up, and close with a line that stays or invites an answer.`,
    'Whole, plain sentences as people speak them: no headings, lists, stage directions, speaker names, emoji, hashtags or markup. Take facts from the material or from what is well known; invent no figures, quotes or sources.',
    `About ${aim} ${unit}, and never more than ${most}: it is spoken in ${secondsMax} seconds at most.`,
  ].join('\n')
}

const captionTask = (language: string): string =>
  [
    'You write the caption that is posted with a short video. "title" is its title, "said" what is spoken in it, "wishes" how its maker wants the caption.',
    `Write in ${nameOf(language)}. A first line that makes people curious, at most 280 characters in all, then five hashtags of what it is about in a last paragraph; where the wishes say otherwise, follow them, but never pass 2,000 characters.`,
    'Promise nothing that the video does not tell. Plain text with line breaks, no markup, no addresses.',
  ].join('\n')

const stagingTask = [
  'You are the director of photography of a short video. "narrations" is what is spoken in each of its scenes, in order; "character" is who is seen in it, "style" how it looks, "mood" how it feels.',
  'For every narration describe in English one picture that shows what is said: subject, place, light and framing, 15 to 50 words, and how that picture moves: camera and subject, 5 to 20 words. Repeat the character and the style in the words of the material wherever they are seen, so that the scenes belong together.',
  'No text, logos or watermarks in the pictures, no names of living artists or of real people.',
].join('\n')

/** Scenes of one answer: more take the model longer than a step may wait. */
const portion = 25

async function staged(model: BedrockModel, { narrations, ...wish }: ScenesInput): Promise<(ScenePrompts | null)[]> {
  const portions = Array.from({ length: Math.ceil(narrations.length / portion) }, (_, index) =>
    narrations.slice(index * portion, (index + 1) * portion),
  )
  const answers = await Promise.all(
    portions.map((told) =>
      requestStructuredOutput({
        ...model,
        task: stagingTask,
        material: { ...wish, narrations: told },
        form: scenePromptsForm(told.length),
        tokensMax: 500 + 300 * told.length,
        temperature: 0.7,
        deadlineMs: deadlineMs.staging,
      }),
    ),
  )
  return answers.flatMap(({ scenes }) => scenes)
}
