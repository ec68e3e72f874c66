/** The frame of every page, and which page an address shows. */
import { effect, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Notices, OfflineBanner } from './notices.tsx'
import { Accounts } from './pages/accounts.tsx'
import { AutomationPage } from './pages/automation.tsx'
import { Automations } from './pages/automations.tsx'
import { EditPage } from './pages/edit.tsx'
import { Keys } from './pages/keys.tsx'
import { NewVideo } from './pages/new-video.tsx'
import { NotFound } from './pages/not-found.tsx'
import { SignIn } from './pages/sign-in.tsx'
import { Usage } from './pages/usage.tsx'
import { VideoPage } from './pages/video.tsx'
import { Videos } from './pages/videos.tsx'
import { WebhookPage, Webhooks } from './pages/webhooks.tsx'
import { forgetAll } from './queries.ts'
import { address } from './router.ts'
import { client, signOut } from './session.ts'

type Parameters = Record<string, string>

const pages: [pattern: RegExp, page: (parameters: Parameters) => ComponentChildren][] = [
  [/^\/(videos\/?)?$/, () => <Videos />],
  [/^\/videos\/new$/, () => <NewVideo key="video" />],
  [/^\/videos\/(?<id>\w+)$/, ({ id }) => <VideoPage key={id} id={id!} />],
  [/^\/videos\/(?<id>\w+)\/edit$/, ({ id }) => <EditPage key={id} id={id!} />],
  [/^\/accounts$/, () => <Accounts />],
  [/^\/automations$/, () => <Automations />],
  [/^\/automations\/new$/, () => <NewVideo key="automation" isAutomation />],
  [/^\/automations\/(?<id>\w+)$/, ({ id }) => <AutomationPage key={id} id={id!} />],
  [/^\/webhooks$/, () => <Webhooks />],
  [/^\/webhooks\/(?<id>\w+)$/, ({ id }) => <WebhookPage key={id} id={id!} />],
  [/^\/keys$/, () => <Keys />],
  [/^\/usage$/, () => <Usage />],
]

const sections = [
  { href: '/', text: 'Videos', icon: <path d="M4 5h12v10H4zM8.5 7.8v4.4l3.6-2.2z" />, pattern: /^\/(videos|$)/ },
  {
    href: '/automations',
    text: 'Automations',
    icon: <path d="M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5M10 7v3.3l2.2 1.3" />,
    pattern: /^\/automations/,
  },
  {
    href: '/accounts',
    text: 'Accounts',
    icon: <path d="M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5" />,
    pattern: /^\/accounts/,
  },
  { href: '/webhooks', text: 'Webhooks', icon: <path d="M3.5 10h9M9 6l4 4-4 4M16.5 4v12" />, pattern: /^\/webhooks/ },
  {
    href: '/keys',
    text: 'Keys',
    icon: <path d="M3.5 10a3 3 0 1 0 6 0 3 3 0 0 0-6 0zM9.5 10h7v3M13.5 10v2" />,
    pattern: /^\/keys/,
  },
  { href: '/usage', text: 'Usage', icon: <path d="M4 16V9M8 16V4M12 16v-5M16 16V7" />, pattern: /^\/usage/ },
]

const isMenuOpen = signal(false)
effect(() => {
  if (address.value) isMenuOpen.value = false
})
// Records of one workspace are not shown to another.
client.subscribe(forgetAll)

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
  <header class="side">
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
              <svg viewBox="0 0 20 20" aria-hidden="true">
                {icon}
              </svg>
              {text}
            </a>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={() => signOut()}>
        Sign out
      </button>
    </nav>
  </header>
)
