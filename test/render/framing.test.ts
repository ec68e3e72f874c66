import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cropWindow,
  framingAt,
  layerFraming,
  layerSourceSize,
  motionProgress,
  sourceSize,
} from '../../lib/render/framing.ts'
import { fullFrame, zoomedFrame } from './compositions.ts'

const motion = { from: fullFrame, to: zoomedFrame }
const layer = { media: { kind: 'still', key: 'k' }, motion, fromFrame: 30, frames: 61, offsetFrames: 0 } as const
const unit = fc.double({ min: 0, max: 1, noNaN: true })
const framing = fc.record({ scale: fc.double({ min: 1, max: 3, noNaN: true }), x: unit, y: unit })

describe('motion', () => {
  it('starts at the first framing and ends at the last', () => {
    expect(framingAt(motion, motionProgress(layer, 30))).toEqual(fullFrame)
    expect(framingAt(motion, motionProgress(layer, 90))).toEqual(zoomedFrame)
  })
  it('is linear unless it is gentle, which starts and ends slower', () => {
    const scaleAt = (progress: number, easing: 'linear' | 'gentle') => framingAt(motion, progress, easing).scale
    expect(scaleAt(0.5, 'linear')).toBeCloseTo(1.075)
    expect(scaleAt(0.1, 'gentle')).toBeLessThan(scaleAt(0.1, 'linear'))
    expect(scaleAt(0.9, 'gentle')).toBeGreaterThan(scaleAt(0.9, 'linear'))
  })
  it('never leaves the picture', () => {
    fc.assert(
      fc.property(framing, framing, unit, (from, to, progress) => {
        const window = cropWindow(framingAt({ from, to }, progress), { width: 1296, height: 2304 })
        expect(Math.min(window.left, window.top)).toBeGreaterThanOrEqual(0)
        expect(window.left + window.width).toBeLessThanOrEqual(1296.001)
        expect(window.top + window.height).toBeLessThanOrEqual(2304.001)
      }),
    )
  })
  it('shows the whole picture at scale 1', () => {
    expect(cropWindow(fullFrame, { width: 100, height: 50 })).toEqual({ left: 0, top: 0, width: 100, height: 50 })
  })
})

describe('punch-ins', () => {
  const still = { ...layer, motion: { from: fullFrame, to: fullFrame } }
  const scaleAt = (frame: number) => layerFraming({ ...still, punchIns: [10, 40] }, frame).scale

  it('jump 8 % closer within four frames, and back at the next one', () => {
    expect([30, 39, 43, 60, 69, 73, 90].map(scaleAt)).toEqual([1, 1, 1.08, 1.08, 1.08, 1, 1])
    expect(scaleAt(40)).toBeGreaterThan(1)
    expect(scaleAt(40)).toBeLessThan(scaleAt(41))
  })
  it('keep their frames when the segment is cut elsewhere', () => {
    const rebased = { ...still, punchIns: [10, 40], fromFrame: -5 }
    expect(layerFraming(rebased, 7)).toEqual(layerFraming({ ...rebased, fromFrame: 30 }, 42))
  })
  it('leave the framing of other layers alone, and load sharper pictures', () => {
    expect(layerFraming(layer, 60)).toEqual(framingAt(motion, motionProgress(layer, 60)))
    expect(layerSourceSize(layer, { width: 1000, height: 2000 })).toEqual({ width: 1150, height: 2300 })
    expect(layerSourceSize({ ...layer, punchIns: [1] }, { width: 1000, height: 2000 })).toEqual({
      width: 1242,
      height: 2484,
    })
  })
})

describe('the size a picture is loaded at', () => {
  it('is even, sharp enough for the closest framing and within what the kernel can reduce', () => {
    fc.assert(
      fc.property(framing, framing, (from, to) => {
        const size = sourceSize({ from, to }, { width: 1080, height: 1920 })
        expect([size.width % 2, size.height % 2]).toEqual([0, 0])
        const [closest, widest] = [Math.max(from.scale, to.scale), Math.min(from.scale, to.scale)]
        expect(size.width / 1080).toBeLessThanOrEqual(1.502 * widest)
        if (closest <= 1.5 * widest) expect(size.width / 1080).toBeGreaterThan(closest - 0.002)
      }),
    )
  })
})
