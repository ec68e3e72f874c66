/** Captions: pages of words. A word seeks; it is edited and timed in place. */
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { CaptionPage, CaptionWord } from '../../lib/domain/generation/captions/captions.ts'
import { editWord, mergePage, retimeWord, setPageHidden, splitPage, wordsOf } from './caption-edits.ts'
import type { EditorDocument } from './document.ts'
import { Icon } from './icons.tsx'
import type { Session } from './session.ts'

export function CaptionsPanel({ session }: { session: Session }) {
  const document = session.document.value!
  const nowMs = (session.frame.value * 1000) / (session.timing.value?.fps ?? 30)
  // A word that moves to another page gets another field, which takes over the focus before the next key arrives.
  const moved = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (moved.current) focusAtStart(moved.current)
    moved.current = null
  }, [document])
  if (document.captions.length === 0) return <p class="ed-empty">This video has no captions yet.</p>
  return (
    <>
      <p class="ed-hint">
        Click a word to go to it, and type to change it. <kbd>Alt</kbd> with <kbd>←</kbd> <kbd>→</kbd> moves its start,
        with <kbd>Shift</kbd> its end. <kbd>Enter</kbd> begins a new page, <kbd>Backspace</kbd> at the start of a page
        joins it with the one before.
      </p>
      <ol class="ed-pages">
        {document.captionsPages.map((page, index) => (
          <Page
            key={page.id}
            {...{ session, document, page, index, moved }}
            isNow={nowMs >= page.startMs && nowMs < page.endMs}
            nowMs={nowMs}
          />
        ))}
      </ol>
    </>
  )
}

interface PageProps {
  session: Session
  document: EditorDocument
  page: CaptionPage
  index: number
  /** Takes the id of a word that keeps the focus on its new page. */
  moved: RefObject<string | null>
  isNow: boolean
  nowMs: number
}

function Page({ session, document, page, index, moved, isNow, nowMs }: PageProps) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isNow && session.isPlaying.value) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isNow])
  const words = wordsOf(document, page)
  const isLast = index === document.captionsPages.length - 1
  const text = words.map(({ punctuated_word }) => punctuated_word).join(' ')
  return (
    <li ref={item} class={`ed-page${isNow ? ' ed-now' : ''}${page.hidden ? ' ed-hidden' : ''}`}>
      <button type="button" class="ed-stamp" onClick={() => session.seekMs(page.startMs)} title="Go to this page">
        {secondsText(page.startMs)}
      </button>
      <div class="ed-words">
        {words.map((word, at) => (
          <Word
            key={word.id}
            {...{ session, word, page, moved }}
            isFirst={at === 0}
            isSpoken={nowMs >= word.startMs && nowMs < word.endMs}
          />
        ))}
        {page.emoji && <span class="ed-emoji">{String(page.emoji.character ?? '')}</span>}
      </div>
      <div class="ed-page-actions">
        <button
          type="button"
          class="ed-icon"
          aria-label={`${page.hidden ? 'Show' : 'Hide'} page: ${text}`}
          title={page.hidden ? 'Show' : 'Hide'}
          aria-pressed={page.hidden}
          onClick={() => session.edit((edited) => setPageHidden(edited, page.id, !page.hidden))}
        >
          <Icon name={page.hidden ? 'hide' : 'show'} />
        </button>
        <button
          type="button"
          class="ed-icon"
          aria-label={`Join with the next page: ${text}`}
          title="Join with the next page"
          disabled={isLast}
          onClick={() => session.edit((edited) => mergePage(edited, page.id))}
        >
          <Icon name="merge" />
        </button>
      </div>
    </li>
  )
}

const stepMs = 20

interface WordProps {
  session: Session
  word: CaptionWord
  page: CaptionPage
  moved: RefObject<string | null>
  isFirst: boolean
  isSpoken: boolean
}

function Word({ session, word, page, moved, isFirst, isSpoken }: WordProps) {
  const field = useRef<HTMLInputElement>(null)
  // While it has the focus, the field keeps what is typed: an emptied word is removed only when it is left.
  useEffect(() => {
    const input = field.current!
    if (globalThis.document.activeElement !== input || input.value.trim() !== '') input.value = word.punctuated_word
  }, [word.punctuated_word])
  const gesture = `word/${word.id}`
  const onKeyDown = (event: KeyboardEvent) => {
    const input = field.current!
    const { key, altKey, shiftKey } = event
    const isTiming = altKey && (key === 'ArrowLeft' || key === 'ArrowRight')
    const atStart = input.selectionStart === 0 && input.selectionEnd === 0
    const atEnd = input.selectionStart === input.value.length
    if (isTiming) {
      const by = key === 'ArrowLeft' ? -stepMs : stepMs
      const span = shiftKey
        ? { startMs: word.startMs, endMs: word.endMs + by }
        : { startMs: word.startMs + by, endMs: word.endMs }
      session.edit((edited) => retimeWord(edited, word.id, span), `time/${word.id}`)
    } else if (key === 'Enter' && !isFirst) {
      moved.current = word.id
      session.edit((edited) => splitPage(edited, word.id))
    } else if (key === 'Backspace' && atStart && isFirst) {
      moved.current = word.id
      session.edit((edited) => joinWithPrevious(edited, page.id))
    } else if (key === 'ArrowLeft' && atStart && !shiftKey) focusSibling(input, -1)
    else if (key === 'ArrowRight' && atEnd && !shiftKey) focusSibling(input, 1)
    else return
    event.preventDefault()
  }
  return (
    <span class={`ed-word${isSpoken ? ' ed-spoken' : ''}`}>
      <span class="ed-word-size" aria-hidden="true">
        {word.punctuated_word || ' '}
      </span>
      <input
        ref={field}
        class="ed-word-text"
        data-word={word.id}
        aria-label={`Word at ${secondsText(word.startMs)} s`}
        size={1}
        maxLength={200}
        spellcheck={true}
        autocomplete="off"
        onKeyDown={onKeyDown}
        onFocus={() => {
          session.selected.value = word.id
          if (!session.isPlaying.value) session.seekMs(word.startMs)
        }}
        onInput={({ currentTarget }) => {
          const typed = currentTarget.value
          if (typed.trim() === '' || /\s/.test(typed.trim())) return
          session.edit((edited) => editWord(edited, word.id, typed), gesture)
          // At its first frame a word may still fade in: what is typed is looked at in its last one.
          if (!session.isPlaying.value) session.seekMs(word.endMs - 1000 / (session.timing.value?.fps ?? 30))
        }}
        onBlur={({ currentTarget }) => {
          if (currentTarget.value.trim() !== word.punctuated_word)
            session.edit((edited) => editWord(edited, word.id, currentTarget.value), gesture)
        }}
      />
    </span>
  )
}

function joinWithPrevious(document: EditorDocument, pageId: string): EditorDocument {
  const index = document.captionsPages.findIndex(({ id }) => id === pageId)
  const before = document.captionsPages[index - 1]
  return before ? mergePage(document, before.id) : document
}

function focusAtStart(id: string): void {
  const input = globalThis.document.querySelector<HTMLInputElement>(`.ed-word-text[data-word="${id}"]`)
  input?.focus()
  input?.setSelectionRange(0, 0)
}

function focusSibling(input: HTMLInputElement, by: number): void {
  const all = [...globalThis.document.querySelectorAll<HTMLInputElement>('.ed-word-text')]
  const next = all[all.indexOf(input) + by]
  next?.focus()
  const end = by < 0 ? (next?.value.length ?? 0) : 0
  next?.setSelectionRange(end, end)
}

export const secondsText = (ms: number) => (ms / 1000).toFixed(2)
