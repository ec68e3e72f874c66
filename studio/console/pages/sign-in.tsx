/** Sign-in by a pasted API key. */
import { useEffect, useState } from 'preact/hooks'
import { ReelsmithError } from '../../../packages/client/index.js'
import { Button, Field } from '../components.tsx'
import { Problem } from '../problem.tsx'
import { sessionEnd, signIn } from '../session.ts'

const isLocal = /^(127\.0\.0\.1|localhost|\[::1\])$/.test(location.hostname)

export function SignIn() {
  const [key, setKey] = useState('')
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Reelsmith'
  }, [])
  const submit = async (event: Event) => {
    event.preventDefault()
    setRunning(true)
    setError(undefined)
    try {
      await signIn(key.trim())
    } catch (failure) {
      const isRefused = failure instanceof ReelsmithError && failure.status === 401
      setError(
        isRefused ? new Error('The service does not know this key. Check that it was copied as a whole.') : failure,
      )
      setRunning(false)
    }
  }
  return (
    <main id="main" class="sign-in">
      <h1>Reelsmith</h1>
      {sessionEnd.value && (
        <p class="problem" role="alert">
          {sessionEnd.value}
        </p>
      )}
      <form onSubmit={submit}>
        <Field label="API key" hint="It stays in this tab. Closing the tab forgets it.">
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autocomplete="off"
              spellcheck={false}
              required
              value={key}
              onInput={({ currentTarget }) => setKey(currentTarget.value)}
            />
          )}
        </Field>
        {error !== undefined && <Problem error={error} />}
        <Button type="submit" kind="primary" isRunning={isRunning}>
          Sign in
        </Button>
      </form>
      <p class="muted">
        {isLocal
          ? 'On this machine, the address that npm start prints as “Console” signs you in.'
          : 'The operator of this service creates keys.'}
      </p>
    </main>
  )
}
