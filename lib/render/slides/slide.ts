/**
 * A slide in the manifest of a render: the content of a presentation scene, the words spoken during it, and its
 * picture.
 */
import type { Template, Tone } from '../../domain/generation/scenes/presentation-scenes.ts'

export interface Slide {
  startMs: number
  endMs: number
  template: Template
  tone: Tone
  text: string
  /** The emphasised part of the text. */
  emphasis: string
  /** Generated fields, overridden by those that a client composed. */
  content: Record<string, unknown>
  /** The words at which its items appear. */
  anchors: readonly string[]
  params: Record<string, unknown>
  direction: Record<string, unknown>
  /** Whether captions are shown over it, so that space is reserved for them. */
  captioned: boolean
  words: readonly SlideWord[]
  /** Stored media of a full-screen image. */
  picture?: { kind: 'still' | 'clip'; key: string }
}

interface SlideWord {
  text: string
  startMs: number
}

/** A stored image of the client, with its size in pixels. */
export interface BrandPicture {
  key: string
  width: number
  height: number
}

/** The client's images on slides. */
export interface Brand {
  logo?: BrandPicture
  icon?: BrandPicture
}

/** A rectangle in pixels of the video. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Alignments of the content, and transitions between slides. An unknown value means the first one. */
export const slideLayouts = ['center', 'left', 'lowerThird'] as const
export type SlideLayout = (typeof slideLayouts)[number]
export const slideEntrances = ['fade', 'slide', 'push', 'zoom', 'wipe'] as const
export type SlideEntrance = (typeof slideEntrances)[number]
/** Values of `presentationBackground`. An unknown value means the first one. */
export const backgrounds = ['plain', 'gradient', 'grid', 'dots', 'paper'] as const
export type Background = (typeof backgrounds)[number]

/** The value if it is known, otherwise the first known one. */
export const knownOrFirst = <Value extends string>(values: readonly [Value, ...Value[]], value: unknown): Value =>
  values.find((one) => one === value) ?? values[0]
