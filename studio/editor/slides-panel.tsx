/** The scenes of a presentation: template, tone, content, and when each is shown. */
import { type PresentationScene, templates, tones } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import { slideEntrances, slideLayouts } from '../../lib/render/slides/slide.ts'
import { newId } from './caption-edits.ts'
import type { EditorDocument } from './document.ts'
import { Icon } from './icons.tsx'
import { optionText } from './option-text.ts'
import type { Session } from './session.ts'
import { templateFields, templateNames } from './slide-fields.ts'
import { Span } from './visuals-panel.tsx'

export function SlidesPanel({ session }: { session: Session }) {
  const { presentationScenes } = session.document.value!
  const append = () =>
    session.edit((document) => {
      const startMs = document.presentationScenes.at(-1)?.endMs ?? 0
      const endMs = Math.round(1000 * (session.video.value?.durationSeconds ?? 0))
      return {
        ...document,
        presentationScenes: [...document.presentationScenes, blankScene(startMs, Math.max(endMs, startMs + 1_000))],
      }
    })
  return (
    <>
      <ol class="ed-cards">
        {presentationScenes.map((scene, index) => (
          <SlideCard key={scene.id} {...{ session, scene, index }} />
        ))}
      </ol>
      <button type="button" onClick={append}>
        <Icon name="add" /> Add a slide
      </button>
    </>
  )
}

const blankScene = (startMs: number, endMs: number): PresentationScene => ({
  ...{ id: newId('psc'), startMs, endMs, text: 'New slide', emphasis: '', template: 'heroTitle', tone: 'light' },
  ...{ caption: 'show', hidden: false, visual: { type: 'none', items: 0, anchors: [] } },
  ...{ content: {}, params: {}, direction: {}, composed: {} },
})

const replaceScene = (
  document: EditorDocument,
  id: string,
  change: (scene: PresentationScene) => PresentationScene,
): EditorDocument => ({
  ...document,
  presentationScenes: document.presentationScenes.map((scene) => (scene.id === id ? change(scene) : scene)),
})

function SlideCard({ session, scene, index }: { session: Session; scene: PresentationScene; index: number }) {
  const { id, startMs, endMs, template, tone, caption, hidden, content, composed, params, direction, emphasis, text } =
    scene
  const nowMs = (session.frame.value * 1000) / (session.timing.value?.fps ?? 30)
  const edit = (change: Partial<PresentationScene>, gesture?: string) =>
    session.edit((document) => replaceScene(document, id, (before) => ({ ...before, ...change })), gesture)
  const shown = { ...content, ...composed }
  const name = `Slide ${index + 1}`
  const isNow = nowMs >= startMs && nowMs < endMs
  return (
    <li class={`ed-card ed-slide${isNow ? ' ed-now' : ''}${hidden ? ' ed-hidden' : ''}`}>
      <div class="ed-card-body">
        <div class="ed-row">
          <button type="button" class="ed-stamp" onClick={() => session.seekMs(startMs + 700)}>
            {name}
          </button>
          <Span {...{ name, startMs, endMs }} onChange={(span, gesture) => edit(span, `${gesture}/${id}`)} />
          <button
            type="button"
            class="ed-icon"
            aria-label={`${hidden ? 'Show' : 'Hide'} slide ${index + 1}`}
            aria-pressed={hidden}
            onClick={() => edit({ hidden: !hidden })}
          >
            <Icon name={hidden ? 'hide' : 'show'} />
          </button>
          <button
            type="button"
            class="ed-icon"
            aria-label={`Remove slide ${index + 1}`}
            onClick={() =>
              session.edit((document) => ({
                ...document,
                presentationScenes: document.presentationScenes.filter((other) => other.id !== id),
              }))
            }
          >
            <Icon name="remove" />
          </button>
        </div>
        <div class="ed-grid">
          <Choice
            label="Template"
            value={template}
            options={templates.map((each) => [each, templateNames[each]])}
            onChange={(value) => edit({ template: value })}
          />
          <Choice
            label="Tone"
            value={tone}
            options={tones.map((each) => [each, optionText(each)])}
            onChange={(value) => edit({ tone: value })}
          />
          <Choice
            label="Layout"
            value={String(params.layout ?? slideLayouts[0])}
            options={slideLayouts.map((each) => [each, optionText(each)])}
            onChange={(value) => edit({ params: { ...params, layout: value } })}
          />
          <Choice
            label="Entrance"
            value={String(direction.enter ?? slideEntrances[0])}
            options={slideEntrances.map((each) => [each, optionText(each)])}
            onChange={(value) => edit({ direction: { ...direction, enter: value } })}
          />
          <Choice
            label="Captions"
            value={caption}
            options={
              [
                ['show', 'Show'],
                ['hide', 'Hide'],
              ] as const
            }
            onChange={(value) => edit({ caption: value })}
          />
        </div>
        {templateFields[template].map(({ name: field, label, isList }) => (
          <label key={field} class="ed-label">
            {label}
            <textarea
              rows={isList ? 3 : 1}
              maxLength={2000}
              placeholder={field === 'title' || field === 'quote' ? text : ''}
              value={textOf(shown[field])}
              onInput={({ currentTarget }) =>
                edit(
                  { composed: { ...composed, [field]: contentOf(currentTarget.value, isList) } },
                  `slide/${id}/${field}`,
                )
              }
            />
          </label>
        ))}
        <label class="ed-label">
          Emphasis
          <input
            type="text"
            value={emphasis}
            onInput={({ currentTarget }) => edit({ emphasis: currentTarget.value }, `slide/${id}/emphasis`)}
          />
        </label>
      </div>
    </li>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange(value: Value): void
}
const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <label class="ed-label">
    {label}
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

/** Items of a list are lines; the detail of an item follows a colon. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(itemText).join('\n')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item ?? '')
  const { date, title, detail } = item as Record<string, unknown>
  return [date, title, detail].filter((part) => typeof part === 'string' && part !== '').join(': ')
}

function contentOf(text: string, isList: boolean): unknown {
  if (!isList) return text
  return text.split('\n').map((line) => {
    const [title = '', ...detail] = line.split(': ')
    return detail.length > 0 ? { title, detail: detail.join(': ') } : line
  })
}
