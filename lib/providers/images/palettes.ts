/** Colours of illustrations. The mood narrows the choice, the seed of the video makes it. */

export interface Palette {
  /** From the top of the sky to the horizon. */
  sky: readonly [string, string, string, string]
  /** The sun, the moon, lit windows. */
  light: string
  /** The farthest and the nearest layer; those between are interpolated. */
  far: string
  near: string
  /** For one small thing that stands out. */
  accent: string
}

type Temper = 'warm' | 'calm' | 'dark' | 'bright' | 'bold'

const palettes: readonly (Palette & { tempers: readonly Temper[] })[] = [
  {
    sky: ['#1b1446', '#5b2a86', '#d1495b', '#f7b267'],
    light: '#ffe3b3',
    far: '#b0476f',
    near: '#170f36',
    accent: '#ffd166',
    tempers: ['warm', 'bold', 'dark'],
  },
  {
    sky: ['#062c43', '#0b6e75', '#49b6a4', '#d8f3dc'],
    light: '#fdfcdc',
    far: '#2f9f90',
    near: '#04222f',
    accent: '#ffb703',
    tempers: ['calm'],
  },
  {
    sky: ['#12062e', '#4a148c', '#c2185b', '#ff8a80'],
    light: '#ffe0b2',
    far: '#9a2380',
    near: '#0f0524',
    accent: '#3df2e0',
    tempers: ['bold', 'dark'],
  },
  {
    sky: ['#0a1633', '#1d3f8f', '#4f86e8', '#cfe4ff'],
    light: '#fff6d6',
    far: '#4473cf',
    near: '#081129',
    accent: '#ffc857',
    tempers: ['calm', 'bold', 'dark'],
  },
  {
    sky: ['#2b1620', '#7a2e2e', '#d9653b', '#ffd08a'],
    light: '#fff0c9',
    far: '#c0603f',
    near: '#210f16',
    accent: '#ffe08a',
    tempers: ['warm', 'bold'],
  },
  {
    sky: ['#0b2b26', '#1f5c4d', '#6aa67f', '#eef3cf'],
    light: '#fffbe0',
    far: '#5a9673',
    near: '#071f1b',
    accent: '#f4a259',
    tempers: ['calm', 'dark'],
  },
  {
    sky: ['#f2777a', '#ff9e80', '#ffc9a0', '#fff0db'],
    light: '#fffaf0',
    far: '#ee8a7a',
    near: '#54264a',
    accent: '#17a398',
    tempers: ['warm', 'bright'],
  },
  {
    sky: ['#3d9bd9', '#7cc4ec', '#bfe5f5', '#f7fbf3'],
    light: '#fff3b0',
    far: '#8cc6a0',
    near: '#1c5a5a',
    accent: '#ff6b5e',
    tempers: ['bright'],
  },
  {
    sky: ['#3a3570', '#7868b4', '#c0a5da', '#fbe3ec'],
    light: '#fff7ea',
    far: '#9280c2',
    near: '#231e48',
    accent: '#ff9f80',
    tempers: ['calm', 'warm'],
  },
  {
    sky: ['#141922', '#2c3a4d', '#64788f', '#dde4ea'],
    light: '#f6f2e6',
    far: '#5b6f86',
    near: '#0c1017',
    accent: '#ff6b5e',
    tempers: ['dark', 'calm'],
  },
  {
    sky: ['#3a0f2b', '#8c2f58', '#e0708a', '#ffd9cf'],
    light: '#fff0e5',
    far: '#bf5076',
    near: '#25091b',
    accent: '#ffd166',
    tempers: ['warm', 'bold'],
  },
  {
    sky: ['#1f9e96', '#6fcdb6', '#c3edd5', '#fbfdea'],
    light: '#fffef0',
    far: '#5fbf9f',
    near: '#0b4449',
    accent: '#ff7a4d',
    tempers: ['bright', 'calm'],
  },
]

const tempersOfMoods: readonly [RegExp, Temper][] = [
  [
    /calm|relax|peace|gentle|soft|quiet|dream|serene|mindful|sad|melanchol|thoughtful|educat|professional|clean/i,
    'calm',
  ],
  [/dark|myster|night|horror|noir|moody|tense|suspense|serious|dramatic|cinematic/i, 'dark'],
  [/happy|bright|fun|cheer|playful|joy|light|fresh|upbeat|optimis|friendly/i, 'bright'],
  [/warm|romantic|nostalg|cozy|love|hope|inspir|emotion|grateful/i, 'warm'],
  [/bold|energ|epic|power|motivat|hype|intense|urgent|provoc|excit|action/i, 'bold'],
]

/** `roll` is a number from 0 to 1. A mood that matches no temper allows all palettes. */
export function paletteFor(mood: string | null, roll: number): Palette {
  const temper = mood && tempersOfMoods.find(([words]) => words.test(mood))?.[1]
  const candidates = palettes.filter(({ tempers }) => !temper || tempers.includes(temper))
  return candidates[Math.floor(roll * candidates.length)]!
}
