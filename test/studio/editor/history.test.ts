/** Undo and redo. */
import { expect, it } from 'vitest'
import { newHistory, record, redo, undo } from '../../../studio/editor/history.ts'

const at = 0

it('goes back and forward, and forgets what was undone with a new edit', () => {
  const edited = record(record(newHistory('a'), 'b', undefined, at), 'c', undefined, at)
  expect(undo(edited).present).toBe('b')
  expect(redo(undo(edited)).present).toBe('c')
  const other = record(undo(edited), 'd', undefined, at)
  expect(redo(other).present).toBe('d')
  expect(undo(undo(undo(other))).present).toBe('a')
})

it('takes the letters of a word for one step, and those after a pause for another', () => {
  const typed = record(record(newHistory(''), 'a', 'word/1', 0), 'ab', 'word/1', 400)
  expect(undo(typed).present).toBe('')
  const later = record(typed, 'abc', 'word/1', 2_000)
  expect(undo(later).present).toBe('ab')
  expect(undo(record(typed, 'x', 'word/2', 500)).present).toBe('ab')
})

it('does not join an edit after an undo to the one before', () => {
  const typed = record(newHistory(''), 'a', 'word/1', 0)
  expect(undo(record(undo(typed), 'b', 'word/1', 100)).present).toBe('')
})
