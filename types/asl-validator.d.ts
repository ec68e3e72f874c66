// asl-validator 4.0.0 ships no declarations its package.json points to.
declare module 'asl-validator' {
  /** Checks a definition against the Amazon States Language; it adds `QueryLanguage` to the definition it is given. */
  export default function validate(
    definition: object,
    options?: { readonly checkPaths: boolean; readonly checkArn: boolean },
  ): { readonly isValid: boolean; readonly errors: readonly unknown[]; errorsText(separator?: string): string }
}
