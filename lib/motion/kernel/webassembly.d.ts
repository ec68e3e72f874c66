/** The little of WebAssembly that the motion kernel needs: TypeScript declares it among the browser's types only. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  interface Instance {
    readonly exports: Record<string, unknown>
  }
  function validate(bytes: Uint8Array): boolean
  function instantiate(bytes: Uint8Array): Promise<{ instance: Instance }>
}
