/** The models that `npm run models` can download: pinned revisions, sizes and checksums. */

export interface ModelFile {
  /** Repository of https://huggingface.co, the commit of it, and the path in it. */
  readonly repository: string
  readonly revision: string
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export interface Model {
  readonly name: string
  readonly title: string
  readonly purpose: string
  readonly licence: string
  readonly files: readonly ModelFile[]
  /** How to use the files, whose paths it gets, as a sentence. */
  readonly use: (paths: string[]) => string
}

export const models: readonly Model[] = [
  {
    name: 'writer',
    title: 'Qwen3.5 2B, GGUF Q4_K_M',
    purpose: 'scripts and slides, served by llama-server, which npm start finds',
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
    use: ([path]) => `Start llama-server -m '${path}' --ctx-size 8192, then npm start.`,
  },
]
