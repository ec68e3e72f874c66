/** What a drawn picture shows: a layout of objects over a ground, a chart, or a card. Chosen per shot, drawn elsewhere. */

export const pictureLayouts = [
  /** One large object. */
  'hero',
  /** Two objects, the first leading to the second. */
  'pair',
  /** Three objects in order. */
  'chain',
  /** A large object with small ones around it. */
  'group',
  /** Two or three objects of one size, side by side. */
  'ensemble',
  /** One object struck out. */
  'crossedOut',
  /** One object before and after, or two sides compared. */
  'comparison',
  /** Two or more figures as bars or as a curve. */
  'chart',
  /** One figure, large, with its label and an object. */
  'counter',
  /** Dated events in order. */
  'timeline',
  /** A quotation with its author. */
  'quote',
  /** A place on the map. */
  'map',
] as const
export type PictureLayout = (typeof pictureLayouts)[number]

export const pictureGrounds = [
  'sky',
  'sea',
  'underwater',
  'beach',
  'forest',
  'field',
  'mountains',
  'desert',
  'snow',
  'city',
  'street',
  'room',
  'bedroom',
  'kitchen',
  'desk',
  'laboratory',
  'stage',
  'space',
  'night',
  'ancient',
  'factory',
  'body',
  'abstract',
  /** A lit backdrop with a floor: neutral. */
  'studio',
] as const
export type PictureGround = (typeof pictureGrounds)[number]

/** A number as it is spoken, with what it counts. */
export interface PictureFigure {
  /** As shown, for example `$761` or `7 percent`. */
  text: string
  value: number
  /** Of the axis or the event, for example `after 30 years`; empty if unknown. */
  label: string
}

export interface PictureScene {
  layout: PictureLayout
  ground: PictureGround
  /** Ids of the bundled objects (`assets/objects`), the most important one first. */
  objects: string[]
  /** Of charts, counters and timelines, in order. */
  figures?: PictureFigure[]
  /** Of a quote: its words; of a map: the name of the place. */
  text?: string
  /** Of a map: degrees north and east. */
  place?: { latitude: number; longitude: number }
  /** Whether the title stands over the picture: its upper third is kept free. */
  isOpening?: true
}
