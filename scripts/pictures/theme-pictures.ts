/** The contents of docs/guides/themes.md: for each field of the theme a description, and pictures of captions that differ only in this field. */
import {
  captionsAnimations,
  captionsTextTransforms,
  captionsWordEffects,
  fontWeightNames,
  layoutModes,
  type ThemeConfig,
} from '../../lib/domain/records/theme.ts'
import { captionFamilies } from '../../lib/render/fonts.ts'

/** A frame at one time, with `words` spoken for 300 ms each. */
export interface ThemeCell {
  words: string
  theme: ThemeConfig
  ms: number
  emoji?: string
}

export interface ThemePicture {
  /** The name of the file; with the value if a field has one picture per value. */
  name: string
  text: string
  cells: ThemeCell[]
  columns: number
  /** Shows the full frame, not only the part with the captions. */
  isWhole?: boolean
}

export interface ThemeField {
  field: string
  text: string
  pictures: ThemePicture[]
}

const quiet: ThemeConfig = { captionsAnimation: 'none', captionsWordEffects: '' }
const words = 'the golden hour'
/** The second word is being spoken, and its animation has ended. */
const settledMs = 580

const still = (theme: ThemeConfig, text = words): ThemeCell => ({
  words: text,
  theme: { ...quiet, ...theme },
  ms: settledMs,
})
const overTime = (theme: ThemeConfig, moments: number[]): ThemeCell[] =>
  moments.map((ms) => ({ words, theme: { ...quiet, ...theme }, ms }))

function field(name: keyof ThemeConfig, text: string, themes: ThemeConfig[], isWhole = false): ThemeField {
  const cells = themes.map((theme) => still(theme))
  return { field: name, text, pictures: [{ name, text: '', cells, columns: themes.length, isWhole }] }
}

const animationTexts: Record<(typeof captionsAnimations)[number], string> = {
  none: 'The page appears at once.',
  fadeIn: 'The page fades in within 150 ms.',
  fadeInSlideUp: 'The page fades in while it rises a little.',
  slideUp: 'The page rises from further below, visible almost at once.',
  popIn: 'The page scales up with an overshoot.',
  scaleIn: 'The page scales up while it fades in.',
  typewriter: 'Each word is typed letter by letter as it is spoken.',
}
const effectTexts: Record<(typeof captionsWordEffects)[number], string> = {
  '': 'Only the colour of the spoken word changes.',
  bounceWord: 'The spoken word bounces and stays a little larger until its end.',
  highlightWord:
    'A rounded box is drawn behind the spoken word, in the primary colour or in `captionsHighlightBackground`.',
  karaokeWord: 'The primary colour fills the word while it is spoken, in reading direction, and stays.',
  popWord: 'The spoken word enlarges briefly and returns to its size.',
  scaleWord: 'The spoken word grows and stays large until its end.',
}
const layoutTexts: Record<(typeof layoutModes)[number], string> = {
  wrap: 'As few lines as needed, balanced in length.',
  'single-line': 'All words of the page on one line, scaled down to fit.',
  word: 'One word at a time.',
}

const familyPictures = [...captionFamilies].map(([name, { weights }]): ThemePicture => {
  const shown = weights.length === 1 ? [weights[0]!] : [100, 400, 700, 900].filter((weight) => weights.includes(weight))
  return {
    name: `family-${name.replaceAll(' ', '')}`,
    text: `\`${name}\`: ${weights.length === 1 ? 'one weight' : `weights ${weights[0]} to ${weights.at(-1)}; here ${shown.join(', ')}`}.`,
    cells: shown.map((weight) => still({ captionsFontFamily: name, captionsFontWeight: String(weight) })),
    columns: 4,
  }
})

export const themeFields: ThemeField[] = [
  {
    field: 'captionsFontFamily',
    text: 'One of nine families, in any case and with or without spaces. TheBoldFont is not free: Montserrat Black replaces it and any unknown family. All families are drawn at the same size.',
    pictures: familyPictures,
  },
  {
    field: 'captionsFontWeight',
    text: '`thin` to `black` or 100 to 900; a missing weight falls back to the nearest one.',
    pictures: [
      {
        name: 'captionsFontWeight',
        text: '',
        cells: fontWeightNames.map((captionsFontWeight) => still({ captionsFontFamily: 'Inter', captionsFontWeight })),
        columns: 3,
      },
    ],
  },
  {
    field: 'captionsAnimation',
    text: 'The entrance of a page, here at 40, 100, 170, 240, 400 and 700 ms.',
    pictures: captionsAnimations.map((captionsAnimation) => ({
      name: `animation-${captionsAnimation}`,
      text: `\`${captionsAnimation}\`: ${animationTexts[captionsAnimation]}`,
      cells: overTime({ captionsAnimation }, [40, 100, 170, 240, 400, 700]),
      columns: 3,
    })),
  },
  {
    field: 'captionsWordEffects',
    text: 'The effect on a word while it is spoken. Here a word that starts at 300 ms, at 280, 340, 370, 430, 500 and 620 ms.',
    pictures: captionsWordEffects.map((captionsWordEffects) => ({
      name: `effect-${captionsWordEffects || 'none'}`,
      text: `\`${captionsWordEffects || "''"}\`: ${effectTexts[captionsWordEffects]}`,
      cells: overTime({ captionsWordEffects }, [280, 340, 370, 430, 500, 620]),
      columns: 3,
    })),
  },
  {
    field: 'layoutMode',
    text: 'How the words of a page are arranged.',
    pictures: layoutModes.map((layoutMode) => ({
      name: `layout-${layoutMode}`,
      text: `\`${layoutMode}\`: ${layoutTexts[layoutMode]}`,
      cells: [100, 500, 800].map((ms) => ({ words: 'the golden hour begins', theme: { ...quiet, layoutMode }, ms })),
      columns: 3,
    })),
  },
  field(
    'captionsTextTransform',
    '`none`, `uppercase`, `lowercase` or `capitalize`.',
    captionsTextTransforms.map((captionsTextTransform) => ({ captionsTextTransform })),
  ),
  field('captionsPrimaryColor', 'The spoken word.', [
    {},
    { captionsPrimaryColor: 'gold' },
    { captionsPrimaryColor: '#ff2d78' },
  ]),
  field('captionsSecondaryColor', 'The words that are not being spoken.', [
    {},
    { captionsSecondaryColor: '#bfe3ff' },
    { captionsSecondaryColor: '#ffffff80' },
  ]),
  field(
    'captionsAccentColor',
    'The keyword of a page, spoken or not: the longest word that says something, so no article or pronoun; a page of one word has none. The default, blue, stands in every reset theme and means none.',
    [{}, { captionsAccentColor: 'gold' }, { captionsAccentColor: '#ff5a36' }],
  ),
  field('captionsStrokeColor', 'The outline of all words, unless one of the two below says otherwise.', [
    {},
    { captionsStrokeColor: '#5b0f8b' },
    { captionsStrokeColor: 'white', captionsSecondaryColor: '#1d2b53' },
  ]),
  field(
    'captionsSecondaryStrokeColor',
    'The outline of words that are not being spoken. The default, white, means that of all words: white around white would be none.',
    [{}, { captionsSecondaryStrokeColor: '#c2410c' }, { captionsSecondaryStrokeColor: '#1e3a8a' }],
  ),
  field('captionsAccentStrokeColor', 'The outline of the keyword. The default, blue, means that of all words.', [
    {},
    { captionsAccentStrokeColor: '#c2410c' },
    { captionsAccentColor: 'white', captionsAccentStrokeColor: '#be123c' },
  ]),
  field('captionsShadowColor', 'A soft shadow under all words; without a colour there is none.', [
    { captionsTextStroke: 0 },
    { captionsTextStroke: 0, captionsShadowColor: '#000000' },
    { captionsTextStroke: 0, captionsShadowColor: '#00000080' },
  ]),
  field(
    'captionsFirstWordColor',
    'The first word of a page while it is not being spoken; in word mode, where it is not seen otherwise, always.',
    [{}, { captionsFirstWordColor: 'cyan' }, { captionsFirstWordColor: 'gold' }],
  ),
  field('captionsHighlightBackground', 'A rounded box behind the spoken word, with any word effect.', [
    {},
    { captionsHighlightBackground: '#7c3aed' },
    { captionsHighlightBackground: '#000000b0' },
  ]),
  field(
    'captionsFontSize',
    '12 to 200 pixels of a screen 720 across. A word or a page that would be too wide is drawn smaller.',
    [{ captionsFontSize: 30 }, {}, { captionsFontSize: 80 }],
  ),
  field(
    'captionsVerticalPosition',
    'Where the middle of the words is, from 0 (top) to 100 (bottom); they never leave the picture. At the default, upright\nvideos also keep them clear of the buttons and texts of apps.',
    [0, 50, 70, 100].map((captionsVerticalPosition) => ({ captionsVerticalPosition })),
    true,
  ),
  field('captionsTextStroke', 'Width of the outline, 0 to 40.', [
    { captionsTextStroke: 0 },
    {},
    { captionsTextStroke: 24 },
  ]),
  field(
    'captionsActiveWordStroke',
    'Width of the outline of the spoken word, 0 to 40; as all words where it is not set.',
    [{}, { captionsActiveWordStroke: 0 }, { captionsActiveWordStroke: 24 }],
  ),
  field(
    'captionsLetterSpacing',
    'Space between letters, −20 to 50; at most a fifth of the letters closer. Letters of Arabic, Hebrew, Devanagari and Thai keep their own.',
    [{ captionsLetterSpacing: -8 }, {}, { captionsLetterSpacing: 12 }],
  ),
]

const languages = [
  'the golden hour',
  'zażółć gęślą jaźń',
  'Tiếng Việt rất đẹp',
  'золотой час',
  'Η χρυσή ώρα',
  '今天我们去北京。',
  '繁體中文的標題',
  '東京タワーに行きました。',
  '오늘은 서울에서',
  'مرحبا بكم في العالم!',
  'שלום לכולם',
  'नमस्ते क्षत्रिय हिन्दी',
  'สวัสดีชาวโลก',
]

export const scriptsPicture: ThemePicture = {
  name: 'scripts',
  text: '',
  cells: languages.map((text) => still({}, text)),
  columns: 3,
}

export const emojiPicture: ThemePicture = {
  name: 'emoji',
  text: '',
  cells: [100, 170, 600].map((ms) => ({ words: 'this is fire', theme: {}, ms, emoji: '🔥' })),
  columns: 3,
}
