/**
 * The models that `npm run models` can download, with pinned revisions, sizes and checksums, and the npm packages that
 * run them. Nothing of it is installed with the project.
 */

export interface ModelFile {
  /** Repository of https://huggingface.co, the commit of it, and the path in it. */
  readonly repository: string
  readonly revision: string
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export interface Model {
  readonly name: 'writer' | 'voice' | 'transcriber'
  readonly title: string
  readonly purpose: string
  readonly licence: string
  readonly files: readonly ModelFile[]
  /** npm packages with exact versions. */
  readonly packages: readonly string[]
  /** On disk, as npm installs them on Linux. */
  readonly packageBytes: number
}

const platform = `${process.platform}-${process.arch}`
/** Packages with binaries of one platform, where the names differ from Node's. */
const llamaPlatforms: Record<string, string> = {
  ...{ 'darwin-arm64': 'mac-arm64-metal', 'darwin-x64': 'mac-x64', 'win32-x64': 'win-x64' },
}

const kokoro = {
  repository: 'onnx-community/Kokoro-82M-v1.0-ONNX-timestamped',
  revision: 'dd4401a9add81ac692d20e240d22ec9dda82cc29',
}
const parakeet = {
  repository: 'csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
  revision: '2bda32ec70b097a55adaa07d9a7173915b43cc78',
}

export const models: readonly Model[] = [
  {
    name: 'writer',
    title: 'Qwen3.5 2B, GGUF Q4_K_M',
    purpose: 'scripts and slides',
    licence: 'Apache-2.0',
    files: [
      {
        repository: 'unsloth/Qwen3.5-2B-GGUF',
        revision: 'f6d5376be1edb4d416d56da11e5397a961aca8ae',
        path: 'Qwen3.5-2B-Q4_K_M.gguf',
        bytes: 1_280_835_840,
        sha256: 'aaf42c8b7c3cab2bf3d69c355048d4a0ee9973d48f16c731c0520ee914699223',
      },
    ],
    packages: ['node-llama-cpp@3.22.1', `@node-llama-cpp/${llamaPlatforms[platform] ?? platform}@3.22.1`],
    packageBytes: 85_000_000,
  },
  {
    name: 'voice',
    title: 'Kokoro 82M, ONNX with durations, voice Heart',
    purpose: 'an expressive English voice',
    licence: 'Apache-2.0',
    files: [
      {
        ...kokoro,
        path: 'onnx/model.onnx',
        bytes: 325_532_171,
        sha256: '651ea8291843a92276a4a003581a215cb07d15e47dde6fcfb1b768f9a1682054',
      },
      {
        repository: 'onnx-community/Kokoro-82M-v1.0-ONNX',
        revision: '1939ad2a8e416c0acfeecc08a694d14ef25f2231',
        path: 'voices/af_heart.bin',
        bytes: 522_240,
        sha256: 'd583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b',
      },
    ],
    // The dictionary (CMUdict, BSD) has the stress of words, which flite does not print.
    packages: ['onnxruntime-node@1.30.0', 'cmu-pronouncing-dictionary@3.0.0'],
    packageBytes: 300_000_000,
  },
  {
    name: 'transcriber',
    title: 'Parakeet TDT 0.6B v3, ONNX int8',
    purpose: 'the words of uploads in 25 languages',
    licence: 'CC-BY-4.0, by NVIDIA',
    files: [
      {
        ...parakeet,
        path: 'encoder.int8.onnx',
        bytes: 652_184_281,
        sha256: 'acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247',
      },
      {
        ...parakeet,
        path: 'decoder.int8.onnx',
        bytes: 11_845_275,
        sha256: '179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e',
      },
      {
        ...parakeet,
        path: 'joiner.int8.onnx',
        bytes: 6_355_277,
        sha256: '3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3',
      },
      {
        ...parakeet,
        path: 'tokens.txt',
        bytes: 93_939,
        sha256: 'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d',
      },
    ],
    packages: ['sherpa-onnx-node@1.13.8', `sherpa-onnx-${platform.replace('win32', 'win')}@1.13.8`],
    packageBytes: 33_000_000,
  },
]
