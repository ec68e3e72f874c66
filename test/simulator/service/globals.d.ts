import type { Ports } from '../ports.ts'

declare global {
  /** The simulation in which this copy of the service runs. */
  const simulator: Ports
}
