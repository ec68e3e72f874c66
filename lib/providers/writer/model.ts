/** Writer by a language model. Output is untrusted: validated, measured and trimmed here. */
import { ModelTooSlow, type TextModel } from '../text-model/index.ts'
import { beatsWithin } from './fit-duration.ts'
import type { DescriptionInput, ScenePrompts, ScenesInput, Writer } from './index.ts'
import { captionForm, joinedText, scenePromptsForm, scriptForm } from './output-schemas.ts'
import {
  captionMaterialAim,
  captionTask,
  scenesTask,
  scriptAim,
  scriptMaterial,
  scriptMaterialAim,
  scriptTask,
} from './prompts.ts'
import { scriptReview } from './review-script.ts'
import { titleFor } from './title.ts'

/** Part of the id: increment when a task or a form changes. */
const versions = { bedrock: 2, openai: 1 }

/** For both requests: a script has a state of two minutes, a caption an API request of 25 seconds. */
const deadlineMs = { script: 100_000, caption: 22_000, scenes: 100_000 }

export const modelWriter = (model: TextModel): Writer => ({
  id: `${model.vendor}-${versions[model.vendor]}/${model.name}`,
  async write(input) {
    const { language, durationSecondsMax, findings } = input
    const { title, beats } = await model.request({
      task: scriptTask(input),
      material: scriptMaterial(input),
      materialLengthAim: scriptMaterialAim,
      form: { ...scriptForm, review: scriptReview(input) },
      tokensMax: 1_000 + 20 * Math.ceil(durationSecondsMax),
      temperature: 0.7,
      deadlineMs: deadlineMs.script,
    })
    const fitting = beatsWithin(beats, language, scriptAim(durationSecondsMax).max)
    const text = joinedText(fitting, language)
    return {
      title: title ?? titleFor(text),
      text,
      beats: fitting,
      writtenBy: model.vendor,
      grounded: Boolean(findings),
      sources: [...(findings?.sources ?? [])],
    }
  },
  async describe({ title, text, prompt, language }: DescriptionInput) {
    const output = await model.request({
      task: captionTask(language),
      material: { title, said: text, wishes: prompt },
      materialLengthAim: captionMaterialAim,
      form: captionForm,
      tokensMax: 2_000,
      temperature: 0.6,
      deadlineMs: deadlineMs.caption,
    })
    return output.caption
  },
  writeScenePrompts: (input) => scenePrompts(model, input),
})

/** Scenes per request: more would exceed the time limit of the step. */
const batchSize = 25

async function scenePrompts(
  model: TextModel,
  { narrations, ...material }: ScenesInput,
): Promise<(ScenePrompts | null)[]> {
  const batches = Array.from({ length: Math.ceil(narrations.length / batchSize) }, (_, index) =>
    narrations.slice(index * batchSize, (index + 1) * batchSize),
  )
  const scenes = await Promise.all(batches.map((batch) => promptsOf(model, material, batch)))
  return scenes.flat()
}

/** Null for prompts that are not valid, and for all of them if the model is too slow. */
async function promptsOf(
  model: TextModel,
  material: Omit<ScenesInput, 'narrations'>,
  narrations: readonly string[],
): Promise<(ScenePrompts | null)[]> {
  const request = {
    task: scenesTask,
    material: { ...material, narrations },
    form: scenePromptsForm(narrations.length),
    tokensMax: 500 + 300 * narrations.length,
    temperature: 0.7,
    deadlineMs: deadlineMs.scenes,
  }
  try {
    return (await model.request(request)).scenes
  } catch (error) {
    if (error instanceof ModelTooSlow) return narrations.map(() => null)
    throw error
  }
}
