/** A value of the API for people: `fadeInSlideUp` as "Fade in slide up". */
export function optionText(option: string): string {
  const words = option.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
