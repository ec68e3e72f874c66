/**
 * Writes a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md) of a two-layer Llama with random weights
 * and a vocabulary of single characters. Its output prefers the marks that end a JSON value, so that an answer is short.
 */
import { seededRandom } from '../../support/seeded-random.ts'

const width = 64
const layers = 2
const heads = 4
const hidden = 128
const contextLength = 4_096
const alignment = 32

const printable = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index))
/** Of the tokenizer: 1 normal, 2 unknown, 3 control, 6 byte. */
const tokens: [text: string, type: number][] = [
  ...([
    ['<unk>', 2],
    ['<s>', 3],
    ['</s>', 3],
  ] as [string, number][]),
  ...Array.from({ length: 256 }, (_, byte): [string, number] => [
    `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    6,
  ]),
  ...printable.map((character): [string, number] => [character.replace(' ', '▁'), 1]),
]
/** Added to the logits. */
const preferred: Record<string, number> = { '"': 9, '}': 8, ']': 8, e: 4, a: 3, t: 3 }

const types = { uint32: 4, int32: 5, float: 6, string: 8, array: 9 } as const

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
const f32 = (value: number) => Buffer.from(Float32Array.of(value).buffer)
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])

type Entry = [key: string, type: number, value: Buffer]
const integer = (key: string, value: number): Entry => [key, types.uint32, u32(value)]
const real = (key: string, value: number): Entry => [key, types.float, f32(value)]
const string = (key: string, value: string): Entry => [key, types.string, text(value)]
const list = (key: string, type: number, values: Buffer[]): Entry => [
  ...([key, types.array] as const),
  Buffer.concat([u32(type), u64(values.length), ...values]),
]

interface Tensor {
  name: string
  /** The first one is that of a row. */
  dimensions: number[]
  values: Float32Array
}

export function llamaStandIn(): Uint8Array {
  const entries: Entry[] = [
    ...[
      string('general.architecture', 'llama'),
      string('general.name', 'stand-in'),
      integer('general.alignment', alignment),
    ],
    ...[integer('llama.context_length', contextLength), integer('llama.embedding_length', width)],
    ...[integer('llama.block_count', layers), integer('llama.feed_forward_length', hidden)],
    ...[integer('llama.attention.head_count', heads), integer('llama.attention.head_count_kv', heads)],
    ...[real('llama.attention.layer_norm_rms_epsilon', 1e-5), integer('llama.rope.dimension_count', width / heads)],
    ...[integer('llama.vocab_size', tokens.length), string('tokenizer.ggml.model', 'llama')],
    list(
      'tokenizer.ggml.tokens',
      types.string,
      tokens.map(([token]) => text(token)),
    ),
    list(
      'tokenizer.ggml.scores',
      types.float,
      tokens.map((_, index) => f32(-index)),
    ),
    list(
      'tokenizer.ggml.token_type',
      types.int32,
      tokens.map(([, type]) => u32(type)),
    ),
    ...[integer('tokenizer.ggml.bos_token_id', 1), integer('tokenizer.ggml.eos_token_id', 2)],
    integer('tokenizer.ggml.unknown_token_id', 0),
  ]
  const tensors = tensorsOf()
  let offset = 0
  const infos = tensors.map(({ name, dimensions, values }) => {
    const info = Buffer.concat([text(name), u32(dimensions.length), ...dimensions.map(u64), u32(0), u64(offset)])
    offset += padded(values.byteLength)
    return info
  })
  const head = Buffer.concat([
    ...[Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(entries.length)],
    ...entries.flatMap(([key, type, value]) => [text(key), u32(type), value]),
    ...infos,
  ])
  const data = tensors.map(({ values }) => pad(Buffer.from(values.buffer)))
  return Buffer.concat([pad(head), ...data])
}

const padded = (length: number) => Math.ceil(length / alignment) * alignment
const pad = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)])

function tensorsOf(): Tensor[] {
  const random = seededRandom(7)
  const noise = (name: string, dimensions: number[], scale = 0.05): Tensor => ({
    ...{ name, dimensions },
    values: Float32Array.from(
      { length: dimensions.reduce((a, b) => a * b) },
      () => (random(2_001) / 1_000 - 1) * scale,
    ),
  })
  const ones = (name: string): Tensor => ({ name, dimensions: [width], values: new Float32Array(width).fill(1) })
  // The first component is the same for all tokens and carries what the output prefers.
  const embedding = noise('token_embd.weight', [width, tokens.length])
  const output = noise('output.weight', [width, tokens.length])
  tokens.forEach(([token], row) => {
    embedding.values[row * width] = 1
    output.values[row * width] = (preferred[token] ?? 0) / Math.sqrt(width)
  })
  const blocks = Array.from({ length: layers }, (_, layer) => {
    const named = (name: string) => `blk.${layer}.${name}.weight`
    return [
      ...[ones(named('attn_norm')), ones(named('ffn_norm'))],
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name) => noise(named(name), [width, width])),
      ...[noise(named('ffn_gate'), [width, hidden]), noise(named('ffn_up'), [width, hidden])],
      noise(named('ffn_down'), [hidden, width]),
    ]
  })
  return [embedding, ones('output_norm.weight'), output, ...blocks.flat()]
}
