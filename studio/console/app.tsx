/** The frame of every page, and which page an address shows. */
import { effect, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Notices, OfflineBanner } from './notices.tsx'
import { NewVideo } from './pages/new-video.tsx'
import { NotFound } from './pages/not-found.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { VideoPage } from './pages/video.tsx'
import { Videos } from './pages/videos.tsx'
import { forgetAll } from './queries.ts'
import { address } from './router.ts'
import { client, signOut } from './session.ts'

type Parameters = Record<string, string>

const pages: [pattern: RegExp, page: (parameters: Parameters) => ComponentChildren][] = [
  [/^\/(videos\/?)?$/, () => <Videos />],
  [/^\/videos\/new$/, () => <NewVideo key="video" />],
  [/^\/videos\/(?<id>\w+)$/, ({ id }) => <VideoPage key={id} id={id!} />],
]

const sections = [{ href: '/', text: 'Videos', icon: '▦', pattern: /^\/(videos|$)/ }]

const isMenuOpen = signal(false)
effect(() => {
  if (address.value) isMenuOpen.value = false
})
effect(() => {
  if (!client.value) forgetAll()
})

export function App() {
  if (!client.value)
    return (
      <>
        <OfflineBanner />
        <SignIn />
      </>
    )
  const { pathname } = address.value
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation pathname={pathname} />
      <main id="main" tabIndex={-1}>
        <OfflineBanner />
        {pageAt(pathname)}
      </main>
      <Notices />
    </>
  )
}

function pageAt(pathname: string): ComponentChildren {
  for (const [pattern, page] of pages) {
    const found = pattern.exec(pathname)
    if (found) return page(found.groups ?? {})
  }
  return <NotFound />
}

const Navigation = ({ pathname }: { pathname: string }) => (
  <div class="side">
    <div class="brand-row">
      <a class="brand" href="/">
        Reelsmith
      </a>
      <button
        type="button"
        class="menu"
        aria-expanded={isMenuOpen.value}
        aria-controls="sections"
        onClick={() => {
          isMenuOpen.value = !isMenuOpen.value
        }}
      >
        Menu
      </button>
    </div>
    <nav id="sections" aria-label="Sections" class={isMenuOpen.value ? 'open' : undefined}>
      <ul>
        {sections.map(({ href, text, icon, pattern }) => (
          <li key={href}>
            <a href={href} aria-current={pattern.test(pathname) ? 'page' : undefined}>
              <span aria-hidden="true">{icon}</span>
              {text}
            </a>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={() => signOut()}>
        Sign out
      </button>
    </nav>
  </div>
)
