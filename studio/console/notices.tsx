/** Short messages about what succeeded, shown for some seconds and read by screen readers; and whether there is a network. */
import { signal } from '@preact/signals'

const shownMs = 5_000

const notices = signal<{ id: number; text: string }[]>([])
let nextId = 0

export function announce(text: string): void {
  const id = nextId++
  notices.value = [...notices.value, { id, text }]
  setTimeout(() => {
    notices.value = notices.value.filter((notice) => notice.id !== id)
  }, shownMs)
}

export const Notices = () => (
  <div class="notices" role="status">
    {notices.value.map(({ id, text }) => (
      <p key={id}>{text}</p>
    ))}
  </div>
)

const isOnline = signal(navigator.onLine)
addEventListener('online', () => {
  isOnline.value = true
})
addEventListener('offline', () => {
  isOnline.value = false
})

export const OfflineBanner = () =>
  isOnline.value ? null : (
    <p class="banner" role="status">
      No network. Shown is what was loaded last; changes are sent again when you repeat them.
    </p>
  )
