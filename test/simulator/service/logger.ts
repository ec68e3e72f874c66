/** The logger of Powertools: every line goes to the simulator. */

type Fields = Record<string, unknown>

export class Logger {
  readonly #replace: (name: string, value: unknown) => unknown

  constructor({ jsonReplacerFn }: { jsonReplacerFn: (name: string, value: unknown) => unknown }) {
    this.#replace = jsonReplacerFn
  }

  info = (event: string, fields: Fields) => this.#write('info', event, fields)
  warn = (event: string, fields: Fields) => this.#write('warn', event, fields)
  error = (event: string, fields: Fields) => this.#write('error', event, fields)
  setLogLevel() {}

  #write(level: string, event: string, fields: Fields): void {
    simulator.log(JSON.stringify({ level, event, ...fields }, this.#replace))
  }
}
