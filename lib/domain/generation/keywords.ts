/** Extracts keywords from a sentence, for prompts and stock footage searches. */

/** Stop words of the languages with built-in writers. */
const stopWords = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing done down each
  even every few for from get gets got had has have having he her here hers him his how i if in into is it its itself just let like
  made make makes many may maybe me might more most much must my need never no not now of off on once one only or other our out over own
  really same she should so some something such take than that the their them then there these they thing things this those through to
  today too under until up us very was way we well were what when where which while who why will with without would yes yet you your
  el la los las un una unos unas de del y o que en por para con sin es son se su sus lo al como más pero muy esto esta este
  le les des du et ou qui dans pour avec sans est sont ce cette ces ne pas plus mais très vous nous votre
  der die das den dem ein eine einen einem und oder mit ohne für ist sind nicht auch aber sehr wie wir sie ihr es zu im am von
  il lo gli uno di da e che per con non si è sono ma più molto questo questa
  o os um uma do da dos das em no na não mais muito isso este você`.split(/\s+/),
)

/** A longer word is none that pictures are found by. */
export const keywordLengthMax = 100

/** The `limit` longest content words, in the order of the text. */
export function extractKeywords(text: string, limit = 5): string[] {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu))]
  const contentWords = words.filter(
    (word) => !stopWords.has(word) && word.length > 2 && word.length <= keywordLengthMax,
  )
  const chosen = new Set(contentWords.toSorted((a, b) => b.length - a.length).slice(0, limit))
  return contentWords.filter((word) => chosen.has(word))
}
