/** The brief of a new video, or of the blueprint of an automation: kind, idea or script, voice, look, and what it costs. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CreateVideoFields, Quote } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import { ActionProblem, Button, Checkbox, Field, Page, Select } from '../components.tsx'
import { formatDuration, plural } from '../format.ts'
import { announce } from '../notices.tsx'
import { Problem } from '../problem.tsx'
import { refresh } from '../queries.ts'
import { navigate } from '../router.ts'
import { requireClient } from '../session.ts'
import { UploadForm } from './upload.tsx'
import { Voices } from './voices.tsx'

type Kind = 'faceless' | 'presentation' | 'ai' | 'ugc' | 'upload'

const kinds: { id: Kind; name: string; text: string; fields: Pick<CreateVideoFields, 'type' | 'subType'> }[] = [
  {
    id: 'faceless',
    name: 'Faceless',
    text: 'A voice over pictures that change with the words',
    fields: { type: 'faceless' },
  },
  {
    id: 'presentation',
    name: 'Presentation',
    text: 'Slides whose parts appear with the words',
    fields: { type: 'faceless', subType: 'presentation' },
  },
  { id: 'ai', name: 'Scenes', text: 'Scenes with their own picture and narration', fields: { type: 'ai' } },
  { id: 'ugc', name: 'To the camera', text: 'One person speaks every scene', fields: { type: 'ai', subType: 'ugc' } },
  { id: 'upload', name: 'Own video', text: 'Upload a file; it gets captions and pictures', fields: {} },
]

const quoteDelayMs = 400

interface Form {
  kind: Kind
  source: 'idea' | 'script'
  prompt: string
  text: string
  videoDuration: 'subminute' | 'short' | 'medium'
  aspectRatio: '9:16' | '16:9' | '1:1' | '4:5'
  imageStyle: 'mixed' | 'stock_footage' | 'ai_image'
  voiceId: string
  showSubtitles: boolean
  render: boolean
  title: string
  mood: string
  customStyleText: string
  characterDescription: string
}

const start: Form = {
  kind: 'faceless',
  source: 'idea',
  prompt: '',
  text: '',
  videoDuration: 'subminute',
  aspectRatio: '9:16',
  imageStyle: 'mixed',
  voiceId: '',
  showSubtitles: true,
  render: true,
  title: '',
  mood: '',
  customStyleText: '',
  characterDescription: '',
}

function bodyOf(form: Form): CreateVideoFields {
  const { kind, source, prompt, text, videoDuration, aspectRatio, imageStyle, voiceId, showSubtitles } = form
  const { title, mood, customStyleText, characterDescription, render } = form
  return {
    ...kinds.find(({ id }) => id === kind)!.fields,
    ...(source === 'idea' ? { prompt, inputMode: 'idea' as const } : { text, inputMode: 'script' as const }),
    ...{ videoDuration, aspectRatio, showSubtitles },
    ...(kind === 'faceless' && { imageStyle }),
    ...(voiceId && { voiceId }),
    ...(title.trim() && { title }),
    ...(mood && { mood }),
    ...(customStyleText.trim() && { customStyleText }),
    ...(kind === 'ugc' && characterDescription.trim() && { characterDescription }),
    process: { render },
  }
}

export function NewVideo({ isAutomation = false }: { isAutomation?: boolean }) {
  const [form, setForm] = useState(start)
  const set =
    <Name extends keyof Form>(name: Name) =>
    (value: Form[Name]) =>
      setForm((form) => ({ ...form, [name]: value }))
  const choices = kinds.filter(({ id }) => !isAutomation || id !== 'upload')
  return (
    <Page
      title={isAutomation ? 'New automation' : 'New video'}
      parent={isAutomation ? { href: '/automations', text: 'Automations' } : { href: '/', text: 'Videos' }}
    >
      <div class="form-page">
        <fieldset class="kinds">
          <legend>Kind</legend>
          {choices.map(({ id, name, text }) => (
            <label key={id} class="choice">
              <input type="radio" name="kind" value={id} checked={form.kind === id} onChange={() => set('kind')(id)} />
              <strong>{name}</strong>
              <span class="muted">{text}</span>
            </label>
          ))}
        </fieldset>
        {form.kind === 'upload' ? <UploadForm /> : <BriefForm form={form} set={set} isAutomation={isAutomation} />}
      </div>
    </Page>
  )
}

interface BriefFormProps {
  form: Form
  set: <Name extends keyof Form>(name: Name) => (value: Form[Name]) => void
  isAutomation: boolean
}

function BriefForm({ form, set, isAutomation }: BriefFormProps) {
  const action = isAutomation ? 'createAutomation' : 'createVideo'
  const { quote, error: quoteError } = usePrice(form, action)
  const [changedPrice, setChangedPrice] = useState<Quote>()
  useEffect(() => setChangedPrice(undefined), [quote])
  const create = useAction(
    async (client, body: CreateVideoFields, options) => {
      // The price that was shown holds, or the user decides again.
      const exact = await client.quotes.create({ action, body: { ...body } })
      const shown = changedPrice ?? quote
      if (shown && exact.credits !== shown.credits) {
        setChangedPrice(exact)
        throw new Error(`The price changed to ${priceText(exact)}. Send the brief again to accept it.`)
      }
      const quoted = { ...options, quote: exact.id }
      return isAutomation ? client.automations.create(body, quoted) : client.videos.create(body, quoted)
    },
    ({ id }) => {
      announce(isAutomation ? 'The automation is created.' : 'The video is being made.')
      refresh()
      navigate(isAutomation ? `/automations/${id}` : `/videos/${id}`)
    },
  )
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void create.run(bodyOf(form))
      }}
    >
      <fieldset class="segments">
        <legend class="hidden">What you give</legend>
        {(['idea', 'script'] as const).map((source) => (
          <label key={source}>
            <input type="radio" name="source" checked={form.source === source} onChange={() => set('source')(source)} />
            {source === 'idea' ? 'An idea' : 'My own script'}
          </label>
        ))}
      </fieldset>
      {form.source === 'idea' ? (
        <Field label="Idea" hint="What the video is about. The script is written from it.">
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={3}
              maxLength={5_000}
              placeholder="Three small habits that make mornings calm"
              value={form.prompt}
              onInput={({ currentTarget }) => set('prompt')(currentTarget.value)}
            />
          )}
        </Field>
      ) : (
        <Field label="Script" hint="It is spoken word for word.">
          {(attributes) => (
            <textarea
              {...attributes}
              required
              rows={8}
              maxLength={20_000}
              value={form.text}
              onInput={({ currentTarget }) => set('text')(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <div class="columns">
        <Select
          label="Length"
          value={form.videoDuration}
          onChange={set('videoDuration')}
          options={[
            ['subminute', 'Up to 1 minute'],
            ['short', 'Up to 3 minutes'],
            ['medium', 'Up to 10 minutes'],
          ]}
        />
        <Select
          label="Format"
          value={form.aspectRatio}
          onChange={set('aspectRatio')}
          options={[
            ['9:16', 'Portrait 9:16'],
            ['4:5', 'Portrait 4:5'],
            ['1:1', 'Square 1:1'],
            ['16:9', 'Landscape 16:9'],
          ]}
        />
        {form.kind === 'faceless' && (
          <Select
            label="Pictures"
            value={form.imageStyle}
            onChange={set('imageStyle')}
            options={[
              ['mixed', 'Footage and stills'],
              ['stock_footage', 'Footage'],
              ['ai_image', 'Stills'],
            ]}
          />
        )}
      </div>
      <Voices value={form.voiceId} onChange={set('voiceId')} />
      {form.kind === 'ugc' && (
        <Field label="Person" hint="Who speaks, in words. A drawn person speaks without it.">
          {(attributes) => (
            <input
              {...attributes}
              maxLength={1_000}
              value={form.characterDescription}
              onInput={({ currentTarget }) => set('characterDescription')(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <div class="row">
        <Checkbox label="Show captions" checked={form.showSubtitles} onChange={set('showSubtitles')} />
        <Checkbox label="Render when it is generated" checked={form.render} onChange={set('render')} />
      </div>
      <details>
        <summary>Title, mood and style</summary>
        <div class="stack">
          <Field label="Title" hint="Without one, the script gives it.">
            {(attributes) => (
              <input
                {...attributes}
                maxLength={200}
                value={form.title}
                onInput={({ currentTarget }) => set('title')(currentTarget.value)}
              />
            )}
          </Field>
          <Select
            label="Mood of pictures and music"
            value={form.mood}
            onChange={set('mood')}
            options={[
              ['', 'From the script'],
              ['calm', 'Calm'],
              ['inspiring', 'Inspiring'],
              ['energetic', 'Energetic'],
              ['dramatic', 'Dramatic'],
              ['playful', 'Playful'],
            ]}
          />
          <Field label="Style of pictures" hint="Words that are added to the prompt of each generated picture.">
            {(attributes) => (
              <input
                {...attributes}
                maxLength={1_000}
                value={form.customStyleText}
                onInput={({ currentTarget }) => set('customStyleText')(currentTarget.value)}
              />
            )}
          </Field>
        </div>
      </details>
      {quoteError !== undefined && create.error === undefined && <Problem error={quoteError} />}
      <ActionProblem action={create} />
      <div class="row end submit">
        <span class="price" role="status">
          {quote && priceText(changedPrice ?? quote)}
        </span>
        <Button type="submit" kind="primary" isRunning={create.isRunning}>
          {isAutomation ? 'Create the automation' : 'Make the video'}
        </Button>
      </div>
    </form>
  )
}

const priceText = ({ credits, seconds }: Quote) =>
  `${credits === 0 ? 'Free of charge' : `Costs ${plural(credits, 'credit')}`}${seconds === null ? '' : ` · at most ${formatDuration(seconds)}`}`

/** The price of the form. Its texts cost nothing, so that typing asks for no quote. */
function usePrice(
  form: Form,
  action: 'createVideo' | 'createAutomation',
): { quote: Quote | undefined; error: unknown } {
  const [state, setState] = useState<{ quote: Quote | undefined; error: unknown }>({
    quote: undefined,
    error: undefined,
  })
  const body = useMemo(
    () =>
      JSON.stringify(
        bodyOf({
          ...form,
          source: 'idea',
          prompt: 'A price',
          title: '',
          customStyleText: '',
          characterDescription: '',
        }),
      ),
    [form],
  )
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      const quote = requireClient().quotes.create({ action, body: JSON.parse(body) })
      const result = await quote.then(
        (quote) => ({ quote, error: undefined }),
        (error: unknown) => ({ quote: undefined, error }),
      )
      if (isCurrent) setState(result)
    }, quoteDelayMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [action, body])
  return state
}
