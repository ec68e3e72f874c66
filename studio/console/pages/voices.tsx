/** The choice of a voice: by language, with samples to listen to. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Voice } from '../../../packages/client/index.js'
import { Loaded, Select } from '../components.tsx'
import { languageName } from '../format.ts'
import { useQuery } from '../queries.ts'

interface VoicesProps {
  /** Empty: the first standard voice of the language. */
  value: string
  onChange: (voiceId: string) => void
}

const useVoices = () =>
  useQuery(
    'voices',
    (client, options) => client.voices.list({}, options),
    () => Number.POSITIVE_INFINITY,
  )

/** The name of a voice; its id until the voices are loaded and where the service offers it no more. */
export const VoiceName = ({ id }: { id: string }) => (
  <>{useVoices().data?.find((voice) => voice.id === id)?.name ?? id}</>
)

export function Voices(props: VoicesProps) {
  const voices = useVoices()
  return (
    <Loaded query={voices} name="voices">
      {(voices) => <VoiceChoice {...props} voices={voices} />}
    </Loaded>
  )
}

function VoiceChoice({ value, onChange, voices }: VoicesProps & { voices: Voice[] }) {
  const languages = [...new Set(voices.map(({ language }) => language))]
    .map((code) => [code, languageName(code)] as const)
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
  const [language, setLanguage] = useState(voices.find(({ id }) => id === value)?.language ?? 'en')
  const offered = voices.filter((voice) => voice.language === language)
  const chosen = value || offered[0]?.id
  const { playing, toggle } = useSample()
  return (
    <fieldset class="voices">
      <legend>Voice</legend>
      <Select
        label="Language"
        value={language}
        options={languages}
        onChange={(code) => {
          setLanguage(code)
          onChange(voices.find((voice) => voice.language === code)?.id ?? '')
        }}
      />
      <ul>
        {offered.map(({ id, name, provider, gender, previewUrl }) => (
          <li key={id}>
            <label>
              <input type="radio" name="voice" checked={chosen === id} onChange={() => onChange(id)} />
              {name}
              <small class="muted">
                {gender}
                {provider === 'expressive' && ' · expressive, costs more'}
              </small>
            </label>
            {previewUrl && (
              <button
                type="button"
                class="icon"
                aria-label={`${playing === previewUrl ? 'Stop' : 'Listen to'} ${name}`}
                onClick={() => toggle(previewUrl)}
              >
                {playing === previewUrl ? '■' : '▶'}
              </button>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** Plays one sample at a time. */
function useSample() {
  const [playing, setPlaying] = useState<string>()
  const audio = useRef<HTMLAudioElement>(undefined)
  useEffect(() => () => audio.current?.pause(), [])
  const toggle = (url: string) => {
    audio.current?.pause()
    if (playing === url) return setPlaying(undefined)
    const sample = new Audio(url)
    audio.current = sample
    setPlaying(url)
    const stop = () => setPlaying((current) => (current === url ? undefined : current))
    sample.addEventListener('ended', stop)
    sample.play().catch(stop)
  }
  return { playing, toggle }
}
