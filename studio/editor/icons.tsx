/** The icons of the editor, as strokes in the colour of the text. */
const paths = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  back: 'M15 6l-6 6 6 6M6 6v12',
  forward: 'M9 6l6 6-6 6M18 6v12',
  undo: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6',
  hide: 'M3 3l18 18M10.6 6.1A9.9 9.9 0 0 1 12 6c6 0 9.5 6 9.5 6a17 17 0 0 1-2.6 3.3M6.5 7.5A16.6 16.6 0 0 0 2.500 12S6 18 12 18a9 9 0 0 0 4-.9',
  show: 'M2.500 12S6 6 12 6s9.500 6 9.500 6-3.500 6-9.500 6-9.500-6-9.500-6zM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  merge: 'M12 3v6m0 12v-6M8 6l4 4 4-4M8 18l4-4 4 4',
  split: 'M12 3v18M9 8l-4 4 4 4M15 8l4 4-4 4',
  remove: 'M5 7h14M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3',
  add: 'M12 5v14M5 12h14',
  keyboard: 'M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8',
  redraw: 'M20 11a8 8 0 1 0-2.300 6M20 5v6h-6',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="ed-icon-shape" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} fill={name === 'play' ? 'currentColor' : 'none'} />
  </svg>
)
