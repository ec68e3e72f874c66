/** Writes ONNX models as bytes (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), for tiny stand-ins. */

/** Protocol buffers: fields of numbers are varints, the others length-delimited. */
type Field = [number: number, value: number | string | Uint8Array]

function varint(value: number | bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return [...bytes, Number(rest)]
}

function message(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.from([...varint(number << 3), ...varint(value)])
      const bytes = Buffer.from(value as Uint8Array)
      return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
    }),
  )
}

export const elementTypes = { float: 1, int32: 6, int64: 7, bool: 9 } as const
export type ElementType = keyof typeof elementTypes

export interface Constant {
  name: string
  type: 'float' | 'int32' | 'int64'
  dimensions: readonly number[]
  values: readonly number[]
}

export interface Node {
  operator: string
  inputs: readonly string[]
  outputs: readonly string[]
  /** Integers only. */
  attributes?: Record<string, number | readonly number[]>
}

/** A name in `dimensions` is one of any length. */
export interface Value {
  name: string
  type: ElementType
  dimensions: readonly (number | string)[]
}

export interface Graph {
  inputs: readonly Value[]
  outputs: readonly Value[]
  constants: readonly Constant[]
  nodes: readonly Node[]
  metadata?: Record<string, string>
}

export function onnxModel({ inputs, outputs, constants, nodes, metadata = {} }: Graph): Uint8Array {
  const graph = message([
    ...nodes.map((node): Field => [1, nodeBytes(node)]),
    [2, 'stand-in'],
    ...constants.map((constant): Field => [5, tensorBytes(constant)]),
    ...inputs.map((value): Field => [11, valueBytes(value)]),
    ...outputs.map((value): Field => [12, valueBytes(value)]),
  ])
  const properties = Object.entries(metadata).map(
    ([key, value]): Field => [
      14,
      message([
        [1, key],
        [2, value],
      ]),
    ],
  )
  return message([[1, 8], [7, graph], [8, message([[2, 17]])], ...properties])
}

const nodeBytes = ({ operator, inputs, outputs, attributes = {} }: Node) =>
  message([
    ...inputs.map((name): Field => [1, name]),
    ...outputs.map((name): Field => [2, name]),
    [3, outputs[0]!],
    [4, operator],
    ...Object.entries(attributes).map(([name, value]): Field => {
      const fields: Field[] =
        typeof value === 'number'
          ? [
              [3, value],
              [20, 2],
            ]
          : [...value.map((one): Field => [8, one]), [20, 7]]
      return [5, message([[1, name], ...fields])]
    }),
  ])

const tensorBytes = ({ name, type, dimensions, values }: Constant) =>
  message([
    ...dimensions.map((length): Field => [1, length]),
    [2, elementTypes[type]],
    [8, name],
    [9, raw(type, values)],
  ])

const raw = (type: Constant['type'], values: readonly number[]): Uint8Array =>
  new Uint8Array(
    type === 'float'
      ? Float32Array.from(values).buffer
      : type === 'int32'
        ? Int32Array.from(values).buffer
        : BigInt64Array.from(values, BigInt).buffer,
  )

const valueBytes = ({ name, type, dimensions }: Value) => {
  const shape = message(
    dimensions.map((length): Field => [1, message([typeof length === 'number' ? [1, length] : [2, length]])]),
  )
  return message([
    [1, name],
    [
      2,
      message([
        [
          1,
          message([
            [1, elementTypes[type]],
            [2, shape],
          ]),
        ],
      ]),
    ],
  ])
}
