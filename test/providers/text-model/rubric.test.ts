/** The rubric over scripts good and bad, the lists that it counts by, and the check of the language. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCutOffObject, readJsonObject } from '../../../lib/providers/text-model/read-json.ts'
import { cliches, clichesIn, fillersIn, hedges } from '../../../lib/providers/writer/fillers.ts'
import { isInLanguage } from '../../../lib/providers/writer/language-check.ts'
import { type RubricInput, scoreScript } from '../../../lib/providers/writer/rubric.ts'
import scripts from './fixtures/scripts.json' with { type: 'json' }

const scored = scripts.map((script) => ({ ...script, ...scoreScript(script) }))
const totals = (quality: string) => scored.filter((script) => script.quality === quality).map(({ total }) => total)

describe('the score of a script', () => {
  it('orders the scripts about an idea as people do', () => {
    expect(scripts.length).toBeGreaterThanOrEqual(12)
    const rank: Record<string, number> = { good: 0, middling: 1, bad: 2 }
    for (const idea of new Set(scripts.map((script) => script.idea))) {
      const about = scored.filter((script) => script.idea === idea).toSorted((a, b) => b.total - a.total)
      const ranks = about.map(({ quality }) => rank[quality]!)
      expect(ranks, about.map(({ name, total }) => `${total} ${name}`).join('\n')).toEqual(ranks.toSorted())
    }
  })

  it('separates good scripts from bad ones of any idea and language', () => {
    expect(Math.min(...totals('good'))).toBeGreaterThanOrEqual(80)
    expect(Math.max(...totals('middling'))).toBeLessThan(Math.min(...totals('good')))
    expect(Math.max(...totals('bad'))).toBeLessThan(60)
  })

  it('measures what it says', () => {
    const by = (name: string) => scored.find((script) => script.name === name)!
    expect(by('facts, names and a turn')).toMatchObject({ numbers: 7, names: 4, filler: 0 })
    expect(by('facts, names and a turn').grade).toBeLessThan(8)
    expect(by('a long abstract sentence').grade).toBeGreaterThan(20)
    expect(by('repeats itself').repetition).toBeGreaterThan(0.4)
    expect(by('clichés').filler).toBeGreaterThan(0.3)
    expect(by('off its subject').topic).toBe(0)
    expect(by('German with figures')).toMatchObject({ numbers: 3, names: 0, grade: null })
  })

  it('holds for the scripts in the recorded answers of every server', () => {
    const files = globSync(join(import.meta.dirname, 'fixtures/{o,l,v}*.json'))
    const answers = files.flatMap(
      (file) => JSON.parse(readFileSync(file, 'utf8')) as { name: string; answers: object[] }[],
    )
    const whole = answers.flatMap(({ answers }) => answers.map(scriptIn)).filter((text) => text !== undefined)
    expect(whole.length).toBeGreaterThanOrEqual(25)
    for (const text of whole) {
      const { total, topic, filler } = scoreScript({
        text,
        idea: 'Why the sea is salty',
        language: 'en',
        secondsAim: 15,
      })
      expect(total).toBeGreaterThanOrEqual(text.length > 100 ? 70 : 40)
      expect({ topic: topic > 0.5, filler }).toEqual({ topic: true, filler: 0 })
    }
  })

  it('is finite and between 0 and 100 for any text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(text, text, fc.constantFrom('en', 'de', 'zh', 'ko'), (text, idea, language) => {
        const { total } = scoreScript({ text, idea, language, secondsAim: 30 } satisfies RubricInput)
        expect(total).toBeGreaterThanOrEqual(0)
        expect(total).toBeLessThanOrEqual(100)
      }),
      { seed: 7 },
    )
  })
})

/** The narration in a recorded answer; undefined if it holds no whole script. */
function scriptIn(answer: object): string | undefined {
  const text = JSON.stringify(answer).includes('choices') && 'body' in answer ? contentOf(answer.body) : ''
  const form = readJsonObject(text, 'deliver_script') as { beats?: { narration: string }[] } | undefined
  return form?.beats?.length ? form.beats.map(({ narration }) => narration).join(' ') : undefined
}
const contentOf = (body: unknown): string => {
  const content = (body as { choices: { message: { content: string | { text: string }[] | null } }[] }).choices[0]
    ?.message.content
  return Array.isArray(content) ? content.map(({ text }) => text).join('') : (content ?? '')
}

describe('the lists of phrases', () => {
  it('hold at least 60 clichés, each once, in lower case', () => {
    expect(cliches.length).toBeGreaterThanOrEqual(60)
    for (const list of [cliches, hedges]) {
      expect(list).toEqual([...new Set(list)])
      expect(list).toEqual(list.map((phrase) => phrase.toLowerCase().trim()))
    }
    expect(hedges.filter((hedge) => cliches.includes(hedge))).toEqual([])
  })

  it('are found as whole words, with any apostrophe, and a phrase within another once', () => {
    for (const phrase of cliches) expect(clichesIn(`And so: ${phrase.toUpperCase()}, they said.`)).toHaveLength(1)
    expect(clichesIn('In today’s\nfast-paced world')).toEqual(["in today's fast-paced world"])
    expect(clichesIn('He unleashed the dog in the world of warcraft')).toEqual(['the world of'])
    expect(fillersIn('Every really good thing is very good.')).toEqual(['really', 'very'])
  })
})

describe('the check of the language', () => {
  const texts: Record<string, string> = {
    en: 'The sun lifts the water into the sky, and the salt is left in the sea with the sand that the rivers carried from the hills.',
    de: 'Die Sonne hebt das Wasser in den Himmel, und das Salz bleibt mit dem Sand, den die Flüsse aus den Bergen tragen, im Meer.',
    es: 'El sol levanta el agua hacia el cielo, y la sal se queda en el mar con la arena que los ríos traen de las montañas.',
    fr: "Le soleil lève l'eau vers le ciel, et le sel reste dans la mer avec le sable que les rivières portent des montagnes.",
    it: "Il sole solleva l'acqua verso il cielo, e il sale resta nel mare con la sabbia che i fiumi portano dalle montagne.",
    pt: 'O sol levanta a água para o céu, e o sal fica no mar com a areia que os rios trazem das montanhas.',
    nl: 'De zon tilt het water naar de hemel, en het zout blijft in de zee met het zand dat de rivieren uit de bergen dragen.',
    pl: 'Słońce podnosi wodę do nieba, a sól zostaje w morzu z piaskiem, który rzeki niosą z gór, i tak jest od milionów lat.',
    sv: 'Solen lyfter vattnet till himlen, och saltet stannar i havet med den sand som floderna bär från bergen.',
    tr: 'Güneş suyu gökyüzüne kaldırır, tuz ise nehirlerin dağlardan taşıdığı kumla birlikte denizde kalır ve birikir.',
    hi: 'सूरज पानी को आकाश में उठाता है, और नमक समुद्र में रह जाता है।',
    ko: '태양은 물을 하늘로 들어 올리고 소금은 바다에 남는다.',
    zh: '太阳把水带到天上，盐留在海里。',
    ja: '太陽は水を空へ持ち上げ、塩は海に残る。',
    ru: 'Солнце поднимает воду в небо, а соль остаётся в море вместе с песком.',
  }
  const languages = Object.keys(texts)
  const isLatin = (language: string) => /[a-z]{4}/.test(texts[language]!)
  /** Without stop words, a language is told from English only. Japanese is partly written in Chinese characters. */
  const isTold = (language: string, other: string) => {
    if (language === 'ja' && other === 'zh') return false
    if (!isLatin(language) || !isLatin(other)) return true
    return other === 'en' ? true : ![language, other].some((one) => ['sv', 'tr'].includes(one))
  }

  it.each(languages)('accepts %s in its own language, and rejects all others', (language) => {
    expect(isInLanguage(texts[language]!, language)).toBe(true)
    const others = languages.filter((other) => other !== language && isTold(language, other))
    for (const other of others) expect(isInLanguage(texts[other]!, language), `${other} as ${language}`).toBe(false)
    expect(others.length).toBeGreaterThanOrEqual(6)
  })

  const told: [language: string, text: string][] = [
    [
      'en',
      'Your cat treats your blanket like its mother. A kitten presses its paws, and milk comes faster. Each kitten does this 20 times a day for eight weeks. Wild cats in Africa stop.',
    ],
    [
      'de',
      'Deine Katze behandelt die Decke wie ihre Mutter. Ein Kätzchen drückt die Pfoten, und die Milch kommt schneller. Jedes Kätzchen macht das acht Wochen lang 20 Mal am Tag.',
    ],
    [
      'es',
      'Tu gato trata la manta como a su madre. Un gatito presiona las patas y la leche llega antes. Lo hace unas 20 veces al día durante ocho semanas. Los gatos salvajes de África luego paran.',
    ],
    [
      'fr',
      "Votre chat traite la couverture comme sa mère. Un chaton presse ses pattes et le lait vient plus vite. Chaque chaton le fait environ 20 fois par jour pendant huit semaines. Les chats sauvages d'Afrique arrêtent ensuite.",
    ],
    [
      'it',
      'Il gatto tratta la coperta come sua madre. Un gattino preme le zampe e il latte arriva prima. Lo fa circa 20 volte al giorno per otto settimane. I gatti selvatici africani poi smettono.',
    ],
    [
      'pt',
      'Seu gato trata o cobertor como a mãe. Um filhote pressiona as patas e o leite vem mais rápido. Ele faz isso umas 20 vezes por dia durante oito semanas. Os gatos selvagens da África depois param.',
    ],
    [
      'nl',
      'Je kat behandelt de deken als haar moeder. Een kitten drukt zijn poten en de melk komt sneller. Elk kitten doet dit acht weken lang 20 keer per dag. Wilde katten in Afrika stoppen daarna.',
    ],
    [
      'pl',
      'Twój kot traktuje koc jak matkę. Kociak naciska łapkami i mleko płynie szybciej. Każdy kociak robi to około 20 razy dziennie przez osiem tygodni. Dzikie koty w Afryce potem przestają.',
    ],
  ]
  it.each(told)('tells %s from the other languages of the product by a few short sentences', (language, text) => {
    expect(told.filter(([other]) => isInLanguage(text, other)).map(([other]) => other)).toEqual([language])
  })

  it('accepts what it cannot know: short texts, figures, regions, and languages in two writing systems', () => {
    expect(isInLanguage('Radio Europa.', 'de')).toBe(true)
    expect(isInLanguage('1, 2, 3.', 'ko')).toBe(true)
    expect(isInLanguage(texts.pt!, 'pt-BR')).toBe(true)
    expect(isInLanguage(texts.ru!, 'sr')).toBe(true)
    expect(isInLanguage(`iPhone 17: ${texts.zh}`, 'zh')).toBe(true)
  })
})

describe('the JSON object in a text', () => {
  it.each([
    ['alone', '{"a":1}'],
    ['fenced', '```json\n{"a":1}\n```'],
    ['in prose with braces', 'Here {it} is: {"a":1}. Enjoy {"b":2}!'],
    ['after thoughts', '<think>Maybe {"a":2}?</think>{"a":1}'],
    ['after thoughts without an opening tag', 'Maybe {"a":2}?</think>\n{"a":1}'],
    ['in the name of the form', '{"deliver":{"a":1}}'],
  ])('is found %s', (_where, text) => {
    expect(readJsonObject(text, 'deliver')).toEqual({ a: 1 })
  })

  it('may hold braces and quotes in its strings', () => {
    expect(readJsonObject('x {"a":"} \\"{\\" "} y', 'deliver')).toEqual({ a: '} "{" ' })
  })

  it('that was cut off keeps what is complete', () => {
    expect(readCutOffObject('{"a":[{"b":1},{"b":"x}"},{"b":"cu', 'deliver')).toEqual({ a: [{ b: 1 }, { b: 'x}' }] })
    expect(readCutOffObject('{"deliver":{"a":[1,2],"b":[3', 'deliver')).toEqual({ a: [1, 2] })
    for (const text of ['', '{"a":"b', 'x']) expect(readCutOffObject(text, 'deliver')).toBeUndefined()
  })

  it.each(['', 'none', '{"a":', '<think>{"a":1}', '[1]'])('is not found in %j', (text) => {
    expect(readJsonObject(text, 'deliver')).toBeUndefined()
  })
})
