/** The current time as ISO text. Domain code takes it as a parameter. */
export const now = () => new Date().toISOString()
