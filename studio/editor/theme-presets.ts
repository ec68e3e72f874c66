/** Looks to begin with. Each sets every field that another one sets, so that none leaves a trace. */
import { editorDefaults, type ThemeConfig } from '../../lib/domain/records/theme.ts'

const plain = { captionsLetterSpacing: 0, captionsActiveWordStroke: 10 } as const

const preset = (name: string, changes: ThemeConfig): { name: string; theme: ThemeConfig } => ({
  name,
  theme: { ...editorDefaults, ...plain, ...changes },
})

export const presets = [
  preset('Classic', {}),
  preset('Clean', {
    ...{ captionsFontFamily: 'Inter', captionsFontWeight: 'bold', captionsFontSize: 58, captionsTextTransform: 'none' },
    ...{ captionsPrimaryColor: '#ffffff', captionsTextStroke: 6, captionsActiveWordStroke: 6 },
    ...{ captionsWordEffects: '', captionsAnimation: 'fadeIn' },
  }),
  preset('Karaoke', {
    ...{ captionsFontFamily: 'Poppins', captionsFontWeight: 'extrabold', captionsFontSize: 66 },
    ...{ captionsPrimaryColor: '#ffd400', captionsWordEffects: 'karaokeWord', captionsTextTransform: 'none' },
  }),
  preset('Marker', {
    ...{ captionsFontFamily: 'Montserrat', captionsFontWeight: 'extrabold', captionsFontSize: 64 },
    ...{ captionsWordEffects: 'highlightWord', captionsPrimaryColor: '#7c3aed', captionsTextStroke: 0 },
    ...{ captionsActiveWordStroke: 0, captionsAnimation: 'popIn' },
  }),
  preset('Poster', {
    ...{ captionsFontFamily: 'Anton', captionsFontSize: 88, captionsPrimaryColor: '#ff4d4d', captionsTextStroke: 8 },
    ...{ captionsWordEffects: 'popWord', captionsAnimation: 'scaleIn', captionsLetterSpacing: 2 },
  }),
  preset('Comic', {
    ...{ captionsFontFamily: 'Luckiest Guy', captionsFontSize: 78, captionsPrimaryColor: '#29d3ff' },
    ...{ captionsTextStroke: 14, captionsWordEffects: 'bounceWord', captionsAnimation: 'popIn' },
  }),
  preset('One word', {
    ...{ captionsFontFamily: 'Archivo Black', captionsFontSize: 104, layoutMode: 'word' },
    ...{ captionsPrimaryColor: '#ffffff', captionsWordEffects: 'popWord', captionsVerticalPosition: 55 },
  }),
  preset('Serif', {
    ...{ captionsFontFamily: 'Playfair Display', captionsFontWeight: 'bold', captionsFontSize: 62 },
    ...{ captionsTextTransform: 'none', captionsPrimaryColor: '#f5d38a', captionsTextStroke: 4 },
    ...{ captionsActiveWordStroke: 4, captionsWordEffects: '', captionsAnimation: 'fadeIn' },
  }),
  preset('Typewriter', {
    ...{ captionsFontFamily: 'Inter', captionsFontWeight: 'semibold', captionsFontSize: 56 },
    ...{ captionsTextTransform: 'none', captionsAnimation: 'typewriter', captionsPrimaryColor: '#b8ffcf' },
    ...{ captionsTextStroke: 6, captionsActiveWordStroke: 6, captionsWordEffects: '' },
  }),
]
