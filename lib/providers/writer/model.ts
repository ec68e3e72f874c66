/** Writer by a language model. Output is untrusted: validated, measured and trimmed here. */
import { isUnspacedLanguage, speechRate } from '../../domain/generation/speech-duration.ts'
import type { TextModel } from '../text-model/index.ts'
import { trimToDuration } from './fit-duration.ts'
import type { DescriptionInput, ScenePrompts, ScenesInput, ScriptInput, Writer } from './index.ts'
import { captionForm, scenePromptsForm, scriptForm } from './output-schemas.ts'
import { titleFor } from './title.ts'

/** Part of the id: increment when the tasks below change. */
const versions = { bedrock: 1, openai: 1 }

/** For both requests: a script has a state of two minutes, a caption an API request of 25 seconds. */
const deadlineMs = { script: 100_000, caption: 22_000, scenes: 100_000 }
/** Shares of the maximal duration. Voices differ in speed, and a slow one must not exceed the paid duration. */
const shareAllowed = 0.92
const shareAimed = 0.75

export const modelWriter = (model: TextModel): Writer => ({
  id: `${model.vendor}-${versions[model.vendor]}/${model.name}`,
  async write({ prompt, scriptPrompt, mood, variation, language, durationSecondsMax }) {
    const { title, text } = await model.request({
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
    const output = await model.request({
      task: captionTask(language),
      material: { title, said: text, wishes: prompt },
      form: captionForm,
      tokensMax: 2_000,
      temperature: 0.6,
      deadlineMs: deadlineMs.caption,
    })
    return output.caption
  },
  writeScenePrompts: (input) => scenePrompts(model, input),
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

const scenesTask = [
  'You are the director of photography of a short video. "narrations" is what is spoken in each of its scenes, in order; "character" is who is seen in it, "style" how it looks, "mood" how it feels.',
  'For every narration describe in English one picture that shows what is said: subject, place, light and framing, 15 to 50 words, and how that picture moves: camera and subject, 5 to 20 words. Repeat the character and the style in the words of the material wherever they are seen, so that the scenes belong together.',
  'No text, logos or watermarks in the pictures, no names of living artists or of real people.',
].join('\n')

/** Scenes per request: more would exceed the time limit of the step. */
const batchSize = 25

async function scenePrompts(
  model: TextModel,
  { narrations, ...material }: ScenesInput,
): Promise<(ScenePrompts | null)[]> {
  const batches = Array.from({ length: Math.ceil(narrations.length / batchSize) }, (_, index) =>
    narrations.slice(index * batchSize, (index + 1) * batchSize),
  )
  const answers = await Promise.all(
    batches.map((batch) =>
      model.request({
        task: scenesTask,
        material: { ...material, narrations: batch },
        form: scenePromptsForm(batch.length),
        tokensMax: 500 + 300 * batch.length,
        temperature: 0.7,
        deadlineMs: deadlineMs.scenes,
      }),
    ),
  )
  return answers.flatMap(({ scenes }) => scenes)
}
