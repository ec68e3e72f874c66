/**
 * Reverb after Schroeder and Moorer: six parallel comb filters with incommensurable delays, then all-pass diffusers.
 */

/** In seconds, as in the public-domain reverberator Freeverb. */
const combSeconds = [1116, 1188, 1277, 1356, 1422, 1491].map((samples) => samples / 44_100)
const diffuserSeconds = [556, 341].map((samples) => samples / 44_100)
const feedback = 0.82
/** Low-pass coefficient of each echo. */
const damping = 0.42

/** The reverberated signal alone. */
export function applyReverb(samples: Float32Array, sampleRate: number): Float32Array {
  const sound = new Float32Array(samples.length)
  for (const seconds of combSeconds) addEchoes(samples, sound, Math.round(seconds * sampleRate))
  for (const seconds of diffuserSeconds) diffuse(sound, Math.round(seconds * sampleRate))
  return sound
}

function addEchoes(samples: Float32Array, sound: Float32Array, delay: number): void {
  const echoes = new Float32Array(delay)
  let dull = 0
  for (let i = 0, at = 0; i < samples.length; i++, at = at + 1 === delay ? 0 : at + 1) {
    const echo = echoes[at]!
    dull = echo + damping * (dull - echo)
    echoes[at] = samples[i]! + feedback * dull
    sound[i]! += echo / combSeconds.length
  }
}

/** An all-pass filter: flat magnitude, frequency-dependent delay. */
function diffuse(sound: Float32Array, delay: number): void {
  const held = new Float32Array(delay)
  for (let i = 0, at = 0; i < sound.length; i++, at = at + 1 === delay ? 0 : at + 1) {
    const before = held[at]!
    held[at] = sound[i]! + 0.5 * before
    sound[i] = before - 0.5 * held[at]!
  }
}
