/** The look of captions and slides: presets, then every field of the theme. */
import {
  captionsAnimations,
  captionsTextTransforms,
  captionsWordEffects,
  editorDefaults,
  fontWeightNames,
  layoutModes,
  musicMoodSettings,
  type ThemeConfig,
} from '../../lib/domain/records/theme.ts'
import { parseColour, toHex } from '../../lib/render/colours.ts'
import { captionFamilies } from '../../lib/render/fonts.ts'
import { backgrounds } from '../../lib/render/slides/slide.ts'
import { presentationDefaults } from '../../lib/render/slides/slides-from-scenes.ts'
import { optionText } from './option-text.ts'
import type { Session } from './session.ts'
import { presets } from './theme-presets.ts'

type Name = keyof ThemeConfig

interface FieldGroup {
  title: string
  isForSlides?: true
  fields: [name: Name, label: string, kind: Kind][]
}
type Kind =
  | { kind: 'colour' }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'choice'; options: readonly string[]; areNames?: true }
  | { kind: 'url' }

const colour: Kind = { kind: 'colour' }
const number = (min: number, max: number): Kind => ({ kind: 'number', min, max })
const choice = (options: readonly string[]): Kind => ({ kind: 'choice', options })
const families: Kind = { kind: 'choice', options: [...captionFamilies.keys()], areNames: true }

const groups: FieldGroup[] = [
  {
    title: 'Type',
    fields: [
      ['captionsFontFamily', 'Font', families],
      ['captionsFontWeight', 'Weight', choice(fontWeightNames)],
      ['captionsFontSize', 'Size', number(12, 200)],
      ['captionsLetterSpacing', 'Letter spacing', number(-20, 50)],
      ['captionsTextTransform', 'Case', choice(captionsTextTransforms)],
      ['layoutMode', 'Layout', choice(layoutModes)],
      ['captionsVerticalPosition', 'Height in the frame, %', number(0, 100)],
    ],
  },
  {
    title: 'Motion',
    fields: [
      ['captionsAnimation', 'Entrance', choice(captionsAnimations)],
      ['captionsWordEffects', 'Spoken word', choice(captionsWordEffects)],
    ],
  },
  {
    title: 'Colours',
    fields: [
      ['captionsPrimaryColor', 'Spoken word', colour],
      ['captionsSecondaryColor', 'Other words', colour],
      ['captionsAccentColor', 'Key word', colour],
      ['captionsFirstWordColor', 'First word', colour],
      ['captionsHighlightBackground', 'Box behind the word', colour],
      ['captionsShadowColor', 'Shadow', colour],
    ],
  },
  {
    title: 'Outline',
    fields: [
      ['captionsTextStroke', 'Width', number(0, 40)],
      ['captionsActiveWordStroke', 'Width at the spoken word', number(0, 40)],
      ['captionsStrokeColor', 'Colour at the spoken word', colour],
      ['captionsSecondaryStrokeColor', 'Colour at other words', colour],
      ['captionsAccentStrokeColor', 'Colour at the key word', colour],
    ],
  },
  {
    title: 'Slides',
    isForSlides: true,
    fields: [
      ['presentationFontFamily', 'Font', families],
      ['presentationBackground', 'Background', choice(backgrounds)],
      ['presentationBackgroundColor', 'Background colour', colour],
      ['presentationInkColor', 'Text', colour],
      ['presentationInkSoftColor', 'Quiet text', colour],
      ['presentationAccentColor', 'Accent', colour],
      ['presentationAccentColorB', 'Second accent', colour],
      ['presentationPillTextColor', 'Text on accents', colour],
      ['presentationLogoUrl', 'Logo', { kind: 'url' }],
      ['presentationIconUrl', 'Icon', { kind: 'url' }],
    ],
  },
  { title: 'Sound', fields: [['musicMood', 'Music', choice(musicMoodSettings)]] },
]

export function StylePanel({ session }: { session: Session }) {
  const { config } = session.document.value!
  const isPresentation = session.video.value?.subType === 'presentation'
  const defaults: ThemeConfig = { ...editorDefaults, musicMood: 'auto', ...(isPresentation && presentationDefaults) }
  const shown: ThemeConfig = { ...defaults, ...config }
  const set = (change: ThemeConfig, gesture?: string) =>
    session.edit((document) => ({ ...document, config: { ...document.config, ...change } }), gesture)
  return (
    <>
      <h2 class="ed-title">Themes</h2>
      <ul class="ed-presets">
        {presets.map(({ name, theme }) => {
          const isOn = Object.entries(theme).every(([key, value]) => shown[key as Name] === value)
          return (
            <li key={name}>
              <button type="button" class="ed-preset" aria-pressed={isOn} onClick={() => set(theme)}>
                <Sample theme={{ ...defaults, ...theme }} />
                <span>{name}</span>
              </button>
            </li>
          )
        })}
      </ul>
      {groups
        .filter(({ isForSlides }) => !isForSlides || isPresentation)
        .map(({ title, fields }) => (
          <fieldset key={title} class="ed-fields">
            <legend>{title}</legend>
            {fields.map(([name, label, kind]) => (
              <ThemeField
                key={name}
                {...{ name, label, kind }}
                value={shown[name]}
                onChange={(value) => set({ [name]: value }, `theme/${name}`)}
              />
            ))}
          </fieldset>
        ))}
    </>
  )
}

interface ThemeFieldProps {
  name: Name
  label: string
  kind: Kind
  value: string | number | undefined
  onChange(value: string | number): void
}

function ThemeField({ name, label, kind, value, onChange }: ThemeFieldProps) {
  const id = `theme-${name}`
  return (
    <div class="ed-field">
      <label for={id}>{label}</label>
      <Control {...{ id, kind, value, onChange }} />
    </div>
  )
}

function Control({ id, kind, value, onChange }: Omit<ThemeFieldProps, 'name' | 'label'> & { id: string }) {
  if (kind.kind === 'choice')
    return (
      <select id={id} value={String(value ?? '')} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {!kind.options.includes(String(value ?? '')) && (
          <option value={String(value ?? '')}>{value ?? 'default'}</option>
        )}
        {kind.options.map((option) => (
          <option key={option} value={option}>
            {kind.areNames ? option : option === '' ? 'Colour only' : optionText(option)}
          </option>
        ))}
      </select>
    )
  if (kind.kind === 'number')
    return (
      <span class="ed-range">
        <input
          id={id}
          type="range"
          min={kind.min}
          max={kind.max}
          value={Number(value ?? 0)}
          onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
        />
        <output for={id}>{value ?? '–'}</output>
      </span>
    )
  if (kind.kind === 'colour')
    return (
      <span class="ed-colour">
        <input
          id={id}
          type="color"
          value={solid(value)}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <output for={id}>{value ?? 'none'}</output>
      </span>
    )
  return (
    <input
      id={id}
      type="url"
      placeholder="https://"
      value={String(value ?? '')}
      onChange={({ currentTarget }) => {
        if (currentTarget.checkValidity() && currentTarget.value !== '') onChange(currentTarget.value)
      }}
    />
  )
}

/** What a colour input can show: without opacity. */
const solid = (value: string | number | undefined) => toHex({ ...parseColour(String(value ?? '#000000')), alpha: 255 })

/** A word in the colours of a theme. */
function Sample({ theme }: { theme: ThemeConfig }) {
  const { captionsSecondaryColor, captionsPrimaryColor, captionsHighlightBackground, captionsTextStroke } = theme
  const boxed = theme.captionsWordEffects === 'highlightWord'
  const upper = theme.captionsTextTransform === 'uppercase'
  const text = (word: string) => (upper ? word.toUpperCase() : word)
  const stroke = { stroke: solid(theme.captionsStrokeColor), 'stroke-width': (captionsTextStroke ?? 0) / 3 }
  return (
    <svg viewBox="0 0 150 60" aria-hidden="true" class="ed-sample">
      {boxed && (
        <rect
          x="78"
          y="16"
          width="62"
          height="28"
          rx="5"
          fill={solid(captionsHighlightBackground ?? captionsPrimaryColor)}
        />
      )}
      <g paint-order="stroke" text-anchor="middle" font-weight="800" font-size="22">
        <text x="42" y="38" fill={solid(captionsSecondaryColor)} {...stroke}>
          {text('Your')}
        </text>
        <text x="109" y="38" fill={solid(boxed ? captionsSecondaryColor : captionsPrimaryColor)} {...stroke}>
          {text('idea')}
        </text>
      </g>
    </svg>
  )
}
