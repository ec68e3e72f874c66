/** Words that tell what kind of thing is said, in the languages of the built-in voices; a language without any is cut by its marks alone. */

/** Whole words only; the marks of JavaScript's own word boundary know no accents. */
const said = (words: string) => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`

const steps =
  'first of all|first|firstly|for a start|to begin with|second|secondly|third|then|next|after that|finally|lastly|step \\w+|' +
  'zuerst|dann|danach|schließlich|zum schluss|primero|luego|después|' +
  "finalmente|por último|d[’']abord|ensuite|puis|enfin|prima|poi|infine|primeiro|depois|por fim|eerst|daarna|ten slotte|najpierw|potem|na koniec"
const contrasts =
  'but|yet|however|while|whereas|versus|vs\\.?|instead of|rather than|compared (?:to|with)|unlike|aber|sondern|anstatt|statt|während|pero|sino|' +
  'en lugar de|mientras|mais|au lieu de|alors que|tandis que|ma|invece(?: di)?|mentre|mas|em vez de|enquanto|maar|in plaats van|terwijl|ale|zamiast'
const times =
  '1[5-9]\\d\\d|20\\d\\d|\\d+ (?:years|days|weeks|months|minutes|hours) (?:ago|later)|century|decades?|years ago|morning|noon|evening|night|' +
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday|tomorrow|jahrhundert|vor \\d+ jahren|morgens|abends|gestern|siglo|' +
  'hace \\d+ años|mañana|noche|ayer|siècle|il y a|matin|soir|hier|secolo|anni fa|mattina|sera|século|anos atrás|manhã|noite|eeuw|jaar geleden|wiek|lat temu'
const calls =
  "try|start|begin|subscribe|follow|share|save|join|download|tell|comment|visit|remember|let[’']s|ask|versuche?|probier\\w*|folge?|teile?|beginne?|" +
  'prueba|suscríbete|sigue|comparte|empieza|essay\\w+|abonne\\w*|partage\\w*|commence\\w*|prova|iscriviti|segui|condividi|inizia|experimente|' +
  'inscreva-se|siga|compartilhe|comece|probeer|volg|deel|begin|spróbuj|obserwuj|zacznij'
const speakers = 'said|says|once wrote|sagte|schrieb|dijo|decía|a dit|disait|disse|diceva|zei|powiedział\\w*'
const units =
  '%|percent|per cent|prozent|por ciento|pour cent|per cento|por cento|procent|thousand|million|billion|tausend|millionen|milliarden|mil|millones|' +
  'mille|millions|milliards|milioni|miliardi|milhões|bilhões|miljoen|miljard|tysięcy|milionów'

export const cues = {
  step: new RegExp(`^["“„«]?${said(steps)}`, 'iu'),
  contrast: new RegExp(said(contrasts), 'iu'),
  time: new RegExp(said(times), 'iu'),
  call: new RegExp(`${said(calls)}|[?？]["”»]?$`, 'iu'),
  quote: new RegExp(`["“„«].{8,}["”»]|${said(speakers)}`, 'isu'),
  /** A figure with its sign and its unit. */
  number: new RegExp(`(?<![\\p{L}\\p{N}])[$€£¥]?\\d+(?:[.,]\\d+)*(?: ?(?:${units})(?![\\p{L}\\p{N}]))?`, 'iu'),
  percent: / ?(?:percent|per cent|prozent|por ciento|pour cent|per cento|por cento|procent)$/iu,
  /** What stands between the items of a list. */
  separator:
    /[,;:、，；：]\s*(?:(?:and|or|und|oder|y|o|et|ou|e|en|of|i|lub)\s+)?|\s+(?:and|or|und|oder|et|ou|lub)\s+/iu,
} as const
