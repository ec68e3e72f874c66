/**
 * A model with the inputs and outputs of the timestamped Kokoro: a tone where a phoneme is, silence at punctuation and
 * blanks. A phoneme lasts 50 to 100 ms by its id.
 */
import { type Constant, type Node, onnxModel } from './onnx.ts'

const integer = (name: string, value: number, dimensions: number[] = [1]): Constant => ({
  ...{ name, type: 'int64', dimensions, values: [value] },
})
const real = (name: string, value: number): Constant => ({ name, type: 'float', dimensions: [], values: [value] })
const node = (operator: string, inputs: string[], output: string, attributes?: Record<string, number>): Node => ({
  ...{ operator, inputs, outputs: [output] },
  ...(attributes && { attributes }),
})

/** Ids above it are phonemes. */
const lastMark = 16
const integerType = 7
const floatType = 1

export const kokoroStandIn = (): Uint8Array =>
  onnxModel({
    inputs: [
      { name: 'input_ids', type: 'int64', dimensions: [1, 'phonemes'] },
      { name: 'style', type: 'float', dimensions: [1, 256] },
      { name: 'speed', type: 'float', dimensions: [1] },
    ],
    outputs: [
      { name: 'waveform', type: 'float', dimensions: [1, 'samples'] },
      { name: 'durations', type: 'int64', dimensions: [1, 'phonemes'] },
    ],
    constants: [
      ...[integer('two', 2), integer('three', 3), integer('unit', 600), integer('mark', lastMark)],
      ...[integer('zero', 0, []), integer('one', 1, []), integer('first', 0), integer('second', 1)],
      real('step', (2 * Math.PI * 220) / 24_000),
    ],
    nodes: [
      node('Mod', ['input_ids', 'three'], 'rest'),
      node('Add', ['rest', 'two'], 'durations'),
      node('Mul', ['durations', 'unit'], 'lengths'),
      node('CumSum', ['lengths', 'one'], 'ends'),
      node('ReduceSum', ['lengths'], 'total', { keepdims: 0 }),
      node('Range', ['zero', 'total', 'one'], 'samples'),
      // The phoneme of a sample is how many phonemes have ended before it.
      node('Unsqueeze', ['samples', 'second'], 'column'),
      node('GreaterOrEqual', ['column', 'ends'], 'is_after'),
      node('Cast', ['is_after'], 'after', { to: integerType }),
      node('ReduceSum', ['after', 'second'], 'phoneme', { keepdims: 0 }),
      node('Greater', ['input_ids', 'mark'], 'is_voiced'),
      node('Cast', ['is_voiced'], 'voiced_row', { to: floatType }),
      node('Squeeze', ['voiced_row', 'first'], 'voiced'),
      node('Gather', ['voiced', 'phoneme'], 'envelope'),
      node('Cast', ['samples'], 'clock', { to: floatType }),
      node('Mul', ['clock', 'step'], 'angle'),
      node('Sin', ['angle'], 'tone'),
      node('Mul', ['tone', 'envelope'], 'sound'),
      node('ReduceMean', ['style'], 'volume', { keepdims: 0 }),
      node('Mul', ['sound', 'volume'], 'loud'),
      node('Unsqueeze', ['loud', 'first'], 'waveform'),
    ],
  })

/** 510 style vectors; their mean is the volume. */
export const voiceStandIn = (volume: number): Uint8Array =>
  new Uint8Array(new Float32Array(510 * 256).fill(volume).buffer)
