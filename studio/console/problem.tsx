/** What a failed call means for the user: a sentence, and what to do next. */
import { useEffect, useState } from 'preact/hooks'
import { ReelsmithError } from '../../packages/client/index.js'

interface Remedy {
  sentence: string
  link?: { href: string; text: string }
  /** Whether the same call can succeed later. */
  canRetry?: boolean
}

const usage = { href: '/usage', text: 'See usage and credits' }
const accounts = { href: '/accounts', text: 'Connect an account' }

export function remedyOf({ status, code, message, action }: ReelsmithError): Remedy {
  if (status === 0) return { sentence: 'The service cannot be reached.', canRetry: true }
  if (code === 'unreadable-answer') return { sentence: message, canRetry: true }
  if (action === 'connect') return { sentence: message, link: accounts }
  if (status === 402) return { sentence: message, link: usage }
  if (status === 404) return { sentence: message, link: { href: '/', text: 'All videos' } }
  if (status === 429) return { sentence: 'The limit of requests is reached for now.', canRetry: true }
  if (status === 409 || status >= 500) return { sentence: message, canRetry: true }
  return { sentence: message }
}

interface ProblemProps {
  error: unknown
  onRetry?: (() => void) | undefined
  /** When a retry follows without a click, in milliseconds since 1970. */
  retryAt?: number | undefined
}

export function Problem({ error, onRetry, retryAt }: ProblemProps) {
  if (!(error instanceof ReelsmithError))
    return (
      <div class="problem" role="alert">
        <p>{error instanceof Error ? error.message : String(error)}</p>
        {onRetry && <RetryButton onRetry={onRetry} />}
      </div>
    )
  const { sentence, link, canRetry } = remedyOf(error)
  const lines = [
    ...(error.details ?? []).map(({ path, message }) => `${path.replace(/^body\./, '')} ${message}`),
    ...(error.blockers ?? []).map(({ label }) => label),
  ]
  return (
    <div class="problem" role="alert">
      <p>{error.details?.length ? 'The service did not accept this.' : sentence}</p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div class="row">
        {link && (
          <a class="button" href={link.href}>
            {link.text}
          </a>
        )}
        {canRetry && onRetry && <RetryButton onRetry={onRetry} retryAt={retryAt} />}
        {error.requestId && <small class="muted">Request {error.requestId}</small>}
      </div>
    </div>
  )
}

function RetryButton({ onRetry, retryAt }: { onRetry: () => void; retryAt?: number | undefined }) {
  const seconds = useSecondsUntil(retryAt)
  return (
    <>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
      {seconds > 0 && <span class="muted">Tries again in {seconds} s.</span>}
    </>
  )
}

function useSecondsUntil(time: number | undefined): number {
  const secondsNow = () => Math.max(0, Math.ceil(((time ?? 0) - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(secondsNow)
  useEffect(() => {
    setSeconds(secondsNow())
    if (time === undefined) return
    const timer = setInterval(() => setSeconds(secondsNow()), 1_000)
    return () => clearInterval(timer)
  }, [time])
  return seconds
}
