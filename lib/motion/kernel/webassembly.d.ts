/** The WebAssembly types that the motion kernel needs: TypeScript declares them only with the browser's types. */
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
