/** The failure of a service call, as data: the service's own copy of the error classes makes an instance of it. */
export class PortFailure extends Error {
  readonly fields: Readonly<Record<string, unknown>>

  constructor(name: string, message: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = name
    this.fields = fields
  }
}
