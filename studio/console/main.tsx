/** The entry of the console. */
import { render } from 'preact'
import { App } from './app.tsx'
import { startRouter } from './router.ts'
import { openSession } from './session.ts'

startRouter()
await openSession()
render(<App />, document.getElementById('app')!)
