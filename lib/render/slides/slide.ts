/** A slide as the manifest of a render holds it: what a presentation scene says, with the words that are spoken meanwhile and its picture. */
import type { Template, Tone } from '../../domain/generation/scenes/presentation-scenes.ts'

export interface Slide {
  startMs: number
  endMs: number
  template: Template
  tone: Tone
  text: string
  /** The part of the text that stands out. */
  emphasis: string
  /** What stands on it, with what an editor has composed by hand laid over it. */
  content: Record<string, unknown>
  /** The words at which its items appear. */
  anchors: readonly string[]
  params: Record<string, unknown>
  direction: Record<string, unknown>
  /** Whether captions are drawn over it, for which room is left. */
  captioned: boolean
  words: readonly SlideWord[]
  /** For a full picture: an object in storage. */
  picture?: { kind: 'still' | 'clip'; key: string }
}

export interface SlideWord {
  text: string
  startMs: number
}

/** A picture of the client's in storage, with its size in pixels. */
export interface BrandPicture {
  key: string
  width: number
  height: number
}

/** Shown on the slides of a film. */
export interface Brand {
  logo?: BrandPicture
  icon?: BrandPicture
}

/** Part of the film, in its pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** How the content of a slide is placed, and how one slide comes after the other; other values give the first of each. */
export const slideLayouts = ['center', 'left', 'lowerThird'] as const
export type SlideLayout = (typeof slideLayouts)[number]
export const slideEntrances = ['fade', 'slide', 'push', 'zoom', 'wipe'] as const
export type SlideEntrance = (typeof slideEntrances)[number]
/** Values of `presentationBackground`; any other is plain. */
export const backgrounds = ['plain', 'gradient', 'grid', 'dots', 'paper'] as const
export type Background = (typeof backgrounds)[number]

/** The value where it is one of the known ones, else the first of them. */
export const knownOrFirst = <Value extends string>(values: readonly [Value, ...Value[]], value: unknown): Value =>
  values.find((one) => one === value) ?? values[0]
