/**
 * A NeMo transducer with durations (TDT) of three graphs, as sherpa-onnx runs them: loud sound is "ab ab …", a frame of
 * 80 ms at a time, silence is blank.
 */
import { type Node, onnxModel } from './onnx.ts'

const node = (
  operator: string,
  inputs: string[],
  output: string,
  attributes?: Record<string, number | number[]>,
): Node => ({ operator, inputs, outputs: [output], ...(attributes && { attributes }) })

const features = 80
/** Frames of 10 ms in one of the encoder. */
const subsampling = 8
const floatType = 1
const state = { layers: 1, width: 4 }
/** Of the mean log energy: silence is at -16. */
const loudness = -10
/** Two frames for each token. */
const durationLogits = [0, 0, 5, 0, 0]

/** Files by their names. */
export const parakeetStandIn = (): Record<string, Uint8Array | string> => ({
  'encoder.int8.onnx': onnxModel({
    inputs: [
      { name: 'audio_signal', type: 'float', dimensions: ['batch', features, 'time'] },
      { name: 'length', type: 'int64', dimensions: ['batch'] },
    ],
    outputs: [
      { name: 'outputs', type: 'float', dimensions: ['batch', 1, 'frames'] },
      { name: 'encoded_lengths', type: 'int64', dimensions: ['batch'] },
    ],
    constants: [{ name: 'subsampling', type: 'int64', dimensions: [1], values: [subsampling] }],
    nodes: [
      node('AveragePool', ['audio_signal'], 'pooled', { kernel_shape: [subsampling], strides: [subsampling] }),
      node('ReduceMean', ['pooled'], 'outputs', { axes: [1], keepdims: 1 }),
      node('Div', ['length', 'subsampling'], 'encoded_lengths'),
    ],
    metadata: {
      ...{ vocab_size: '2', subsampling_factor: String(subsampling), normalize_type: 'NA', feat_dim: String(features) },
      ...{ pred_rnn_layers: String(state.layers), pred_hidden: String(state.width) },
      ...{ model_type: 'EncDecRNNTBPEModel', version: '2', model_author: 'stand-in' },
      // Says that it is a TDT model.
      url: 'https://example.com/parakeet-tdt-stand-in',
    },
  }),
  'decoder.int8.onnx': onnxModel({
    inputs: [
      { name: 'targets', type: 'int32', dimensions: ['batch', 'tokens'] },
      { name: 'target_length', type: 'int32', dimensions: ['batch'] },
      { name: 'states.1', type: 'float', dimensions: [state.layers, 'batch', state.width] },
      { name: 'states.2', type: 'float', dimensions: [state.layers, 'batch', state.width] },
    ],
    outputs: [
      { name: 'outputs', type: 'float', dimensions: ['batch', 1, 'tokens'] },
      { name: 'prednet_lengths', type: 'int32', dimensions: ['batch'] },
      { name: 'next.1', type: 'float', dimensions: [state.layers, 'batch', state.width] },
      { name: 'next.2', type: 'float', dimensions: [state.layers, 'batch', state.width] },
    ],
    constants: [{ name: 'axis', type: 'int64', dimensions: [1], values: [1] }],
    nodes: [
      node('Cast', ['targets'], 'last', { to: floatType }),
      node('Unsqueeze', ['last', 'axis'], 'outputs'),
      node('Identity', ['target_length'], 'prednet_lengths'),
      node('Identity', ['states.1'], 'next.1'),
      node('Identity', ['states.2'], 'next.2'),
    ],
  }),
  'joiner.int8.onnx': onnxModel({
    inputs: [
      { name: 'encoder_outputs', type: 'float', dimensions: ['batch', 1, 'frames'] },
      { name: 'decoder_outputs', type: 'float', dimensions: ['batch', 1, 'tokens'] },
    ],
    outputs: [{ name: 'outputs', type: 'float', dimensions: ['batch', 'frames', 'tokens', 8] }],
    constants: [
      { name: 'threshold', type: 'float', dimensions: [1], values: [loudness] },
      { name: 'zero', type: 'float', dimensions: [1], values: [0] },
      { name: 'one', type: 'float', dimensions: [1], values: [1] },
      { name: 'axis', type: 'int64', dimensions: [1], values: [3] },
      { name: 'durations', type: 'float', dimensions: [1, 1, 1, 5], values: durationLogits },
    ],
    nodes: [
      node('Greater', ['encoder_outputs', 'threshold'], 'is_loud'),
      node('Cast', ['is_loud'], 'loud', { to: floatType }),
      node('Sub', ['one', 'loud'], 'blank'),
      node('Equal', ['decoder_outputs', 'zero'], 'is_after_a'),
      node('Cast', ['is_after_a'], 'after_a', { to: floatType }),
      node('Sub', ['one', 'after_a'], 'not_after_a'),
      node('Mul', ['loud', 'not_after_a'], 'a'),
      node('Mul', ['loud', 'after_a'], 'b'),
      ...['a', 'b', 'blank'].map((name) => node('Unsqueeze', [name, 'axis'], `${name}_logit`)),
      node('Concat', ['a_logit', 'b_logit', 'blank_logit', 'durations'], 'outputs', { axis: 3 }),
    ],
  }),
  'tokens.txt': '▁a 0\nb 1\n<blk> 2\n',
})
