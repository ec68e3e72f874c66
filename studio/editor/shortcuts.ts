/** The keyboard of the editor. Keys that type are left to fields. */
import type { Session } from './session.ts'

export const shortcuts: readonly (readonly [keys: string, effect: string])[] = [
  ['Space or K', 'Play and pause'],
  [', and .', 'One frame back and on'],
  ['J and L', 'One second back and on'],
  ['Home and End', 'Start and end'],
  ['Ctrl Z, Ctrl Shift Z', 'Undo and redo'],
  ['Ctrl S', 'Save now'],
]

export function handleShortcut(event: KeyboardEvent, session: Session): void {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event
  const isCommand = ctrlKey || metaKey
  if (isCommand && key.toLowerCase() === 'z') {
    if (shiftKey) session.redo()
    else session.undo()
  } else if (isCommand && key.toLowerCase() === 's') session.saveNow()
  else if (isCommand || altKey || isTyping(target)) return
  else if (key === 'k' || (key === ' ' && !isControl(target))) togglePlaying(session)
  else if (key === ',') step(session, -1)
  else if (key === '.') step(session, 1)
  else if (key === 'j') step(session, -fpsOf(session))
  else if (key === 'l') step(session, fpsOf(session))
  else if (key === 'Home' && !isControl(target)) session.player.value?.seek(0)
  else if (key === 'End' && !isControl(target)) session.player.value?.seek(Number.MAX_SAFE_INTEGER)
  else return
  event.preventDefault()
}

const fpsOf = ({ timing }: Session) => timing.value?.fps ?? 30

/** From the frame that was asked for last, which may not be drawn yet. */
const step = ({ player }: Session, by: number) => player.value?.seek(player.value.frame + by)

function togglePlaying({ player, isPlaying }: Session): void {
  if (isPlaying.value) player.value?.pause()
  else player.value?.play()
}

const typed = new Set(['text', 'url', 'search', 'number'])

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && typed.has(target.type))

/** What reacts to the space bar itself. */
const isControl = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement ||
  target instanceof HTMLInputElement ||
  target instanceof HTMLAnchorElement ||
  (target instanceof HTMLElement && target.closest('dialog, [role="tab"], summary') !== null)
