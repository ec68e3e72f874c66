/**
 * Patterns that classify sentences, in the languages of the built-in voices. Other languages are cut by punctuation
 * only.
 */

/** `\b` does not support accented letters. */
const wholeWords = (words: string) => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`

const firstSteps =
  "first of all|first|firstly|for a start|to begin with|step one|step 1|zuerst|erstens|primero|d[’']abord|premièrement|prima|primo(?=:)|" +
  'primeiro|eerst|ten eerste|najpierw|po pierwsze|पहली बात|첫째|第一'
const laterSteps =
  'second|secondly|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|then|and then|next|after that|on top of that|also|beyond that|' +
  'just as important|another thing|here is one more|finally|lastly|and last|and one more thing|step \\w+|' +
  'dann|danach|zweitens|drittens|viertens|fünftens|außerdem|noch etwas|auch das zählt|schließlich|zum schluss|und zum schluss|' +
  'luego|después|segundo(?=[:,])|tercero|además|otra cosa|también importa esto|finalmente|por último|y por último|' +
  'ensuite|puis|deuxièmement|troisièmement|de plus|autre chose|ceci compte aussi|enfin|et pour finir|' +
  "poi|secondo(?=:)|terzo|inoltre|un[’']altra cosa|conta anche questo|infine|e per finire|" +
  'depois|além disso|outra coisa|isto também importa|por fim|e por último|daarna|ten tweede|bovendien|ten slotte|en tot slot|' +
  'potem|po drugie|poza tym|na koniec|i na koniec|दूसरी बात|इसके अलावा|और आख़िर में|둘째|그리고|마지막으로|第二|另外|最后'
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
  '%|°[CF]?|percent|per cent|prozent|por ciento|pour cent|per cento|por cento|procent|thousand|million|billion|tausend|millionen|milliarden|mil|millones|' +
  'mille|millions|milliards|milioni|miliardi|milhões|bilhões|miljoen|miljard|tysięcy|milionów'

export const phrasePatterns = {
  /** A step; `firstStep` restarts the count. */
  step: new RegExp(`^["“„«]?${wholeWords(`${firstSteps}|${laterSteps}`)}`, 'iu'),
  firstStep: new RegExp(`^["“„«]?${wholeWords(firstSteps)}`, 'iu'),
  contrast: new RegExp(wholeWords(contrasts), 'iu'),
  time: new RegExp(wholeWords(times), 'iu'),
  call: new RegExp(`${wholeWords(calls)}|[?？]["”»]?$`, 'iu'),
  quote: new RegExp(`^[^"“„«]*["“„«].{8,}["”»]|${wholeWords(speakers)}`, 'isu'),
  /** A figure with its sign and its unit. */
  number: new RegExp(`(?<![\\p{L}\\p{N}])[$€£¥]?\\d+(?:[.,]\\d+)*(?: ?(?:${units})(?![\\p{L}\\p{N}]))?`, 'iu'),
  percent: / ?(?:percent|per cent|prozent|por ciento|pour cent|per cento|por cento|procent)$/iu,
  /** Before the last item of a list. Commas alone do not mark a list: clauses have them too. */
  lastItem: /[、]|[\s,;](?:and|or|und|oder|y|o|et|ou|e|en|of|i|lub)\s|[和与或및]/iu,
  /** Between the items of a list. */
  separator:
    /[,;:、，；：]\s*(?:(?:and|or|und|oder|y|o|et|ou|e|en|of|i|lub)\s+)?|(?<!\s)\s+(?:and|or|und|oder|et|ou|lub)\s+/iu,
} as const
