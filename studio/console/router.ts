/** The address of the page. Links are plain `<a href>`; clicks on those of the console do not load the page again. */
import { signal } from '@preact/signals'

export const address = signal(new URL(location.href))

interface Entry {
  scrollY?: number
}

/** `replace`: instead of the current entry of the history, such as for filters. */
export function navigate(to: string, { replace = false } = {}): void {
  const url = new URL(to, location.href)
  if (replace) history.replaceState(history.state, '', url)
  else {
    history.replaceState({ scrollY } satisfies Entry, '')
    history.pushState({} satisfies Entry, '', url)
    scrollTo(0, 0)
  }
  address.value = url
}

/** Changes parameters of the address in place; empty values are removed. */
export function setParameters(values: Record<string, string>): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(values))
    if (value) url.searchParams.set(name, value)
    else url.searchParams.delete(name)
  navigate(url.href, { replace: true })
}

/** Paths of the same origin that are not pages of the console. */
const foreign = /^\/(v1|docs|\.well-known)(\/|$)/

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', ({ state }: PopStateEvent) => {
    address.value = new URL(location.href)
    // After the page is rendered from what is cached.
    requestAnimationFrame(() => scrollTo(0, (state as Entry | null)?.scrollY ?? 0))
  })
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element | null)?.closest?.('a[href]')
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return
    const { origin, pathname, hash } = new URL(link.href)
    if (origin !== location.origin || foreign.test(pathname) || hash) return
    event.preventDefault()
    navigate(link.href)
  })
}
