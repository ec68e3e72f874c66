/** Words that no picture is chosen by: numerals, times, pronouns, abstract verbs, and homographs of objects' keywords. */

const stopWords: Record<string, string> = {
  en: `a about above according across actually after again against ago ahead all almost alone along already also although always
    am among an and another any anyone anything are area around as ask at away back bad be became because become becomes been before
    began begin behind being believe below best better between big bit both bottom bring but by call called came can cannot case
    cause caused century certain change changed close come comes common could course cut decade deep did die died different do does doing
    done down during each early earlier easy eight either eleven else end enough entire even ever every everyone everything exactly
    fact far fast feel felt few fewer fifth fifty find fine first five for form forty found four free from front full further gave
    get gets getting give given gives go goes going gone good got great had half hard has have having he held help helps her here high him his
    hold holds hour hours how however hundred i if important in inside instead into is it its itself just keep keeps kept kind knew know known
    large largest last late later least leave leaves left less let level life like likely little live lived lives long longer look
    looks lose lost lot low lower made main make makes making many may maybe me mean means meant might million billion thousand
    trillion minute minutes mix month months more most mostly move moves much must my name named near nearly need needs never new next nine
    no nobody none not nothing now number of off often old on once one only onto open or other others our out outside over own
    part past people perhaps piece place play point possible probably pull put quarter quickly quite rather real really reason rest
    right roughly run runs said same saw say says second seconds see seem seen send set several shall she short should show shows side similar
    simple simply since six size slow small so some someone something sometimes soon start started state stay still stop strong such
    take taken takes talk tell ten than that the their them themselves then there these they thing things think third thirty this
    those though thought three through throughout thus time times to today together told too took top total toward towards tried
    true try turn turned turns twelve twenty twice two type under until up upon us use used uses using usual usually very want wanted was way
    ways we week weeks well went were what when where whether which while who whole whose why wide will with within without word
    work worked works world would wrong year years yes yet you young your zero ok okay per percent vs et al around worth amount
    secret stand stands built fit become mind matter matters check notice never non nor yourself own let lets room board square plus minus checking official stood tall tallest bright order orders
    pass passed fair fall falls bow double doubles doubled doubling belly count counts sign signs fan post back current spring rose left match point points day days fly flies
    answer answers ones millions billions hundreds thousands break breaks invented empty born opened opens wild soft feels feeling moving shape shapes
    shaped save saves saved places smaller larger bigger harder shorter slower easier helped dry asked asks straight piece pieces round sent sends fresh flat
    fixed faces sides raise raises raised looked looking higher knows slows sets received passes moved miss missed missing changes changing hides
    hide hidden hiding edge cross crossed crosses closed slightly active row trade index treat treated treats linked public whatever noticed notices liked
    split splits clearly natural mark marks handles range drove accident thirds clever care quarters struck action offer service net medium roll
    band tick bars bar club national position red blue green yellow white black brown purple pink grey golden o copper peter cheap
    working job test tests tested feed feeds catch distance metal kept measured date dates weather score stroke excited pile paying pitch crushed
    spaced mate mates pins additive starts checked turning cancel expects short shorts worth sits stretch stretches tearing torn`,
  es: `el la los las un una unos unas de del y o que en por para con sin es son se su sus lo al como mas pero muy esto esta este estos
    estas ese esa cada todo toda todos todas uno dos tres cuatro cinco seis siete ocho nueve diez cien mil millon millones ano anos dia dias hora horas
    tiempo vez veces cuando donde porque ya no ni si tu te me mi nos le les hay ha han fue era ser estar tiene tienen hace hacer puede pueden entre sobre
    hasta desde tambien solo mismo otra otro otros otras parte cosa cosas mejor mayor menos mucho muchos mucha muchas poco antes despues ahora siempre nunca
    mundo vida bebe guarda ciento azul rojo`,
  de: `der die das den dem des ein eine einen einem einer eines und oder mit ohne fur ist sind war waren nicht auch aber sehr wie wir sie ihr es
    zu im am vom von in an auf aus bei nach vor uber unter durch um als wenn weil dass so nur noch schon mehr viel viele alle jeder jede jedes man er ich du
    eins zwei drei vier funf sechs sieben acht neun zehn hundert tausend million millionen milliarden jahr jahre jahren tag tage tagen stunde stunden minute
    minuten zeit mal immer nie wird werden wurde wurden hat haben hatte kann konnen macht machen gibt geht kommt bis seit dann denn doch da hier dort sich sein
    seine ihre ihren dieser diese dieses etwa fast ganz welt leben teil`,
  fr: `le la les l d un une des de du et ou qui que quoi dans pour avec sans est sont ce cette ces cet ne pas plus mais tres vous nous votre notre
    on il elle ils elles je tu se sa son ses leur leurs au aux en par sur sous entre comme si quand ou deux trois quatre cinq six sept huit neuf dix cent
    mille million millions milliard an ans annee annees jour jours heure heures temps fois toujours jamais tout tous toute toutes chaque autre autres meme
    fait faire peut peuvent a ont etre avoir etait c s y n qu monde vie partie chose choses bien peu beaucoup moins avant apres`,
  it: `il lo la i gli le un uno una di a da in con su per tra fra e o che non si sono era piu ma molto questo questa questi queste come quando dove
    perche due tre quattro cinque sei sette otto nove dieci cento mille milione milioni anno anni giorno giorni ora ore tempo volta volte sempre mai tutto tutti ogni
    altro altri del della dei delle nel nella al alla ai dal dalla sul sulla ha hanno ci se lui lei loro noi voi mondo vita parte cosa cose blu rosso nero`,
  pt: `o a os as um uma uns umas de do da dos das em no na nos nas por para com sem e ou que se nao mais mas muito isso este esta esse essa como
    quando onde porque dois duas tres quatro cinco seis sete oito nove dez cem mil milhao milhoes ano anos dia dias hora horas tempo vez vezes sempre nunca tudo todo
    todos cada outro outros ao aos sua seu suas seus ele ela eles sao foi ser tem ha mundo vida parte coisa coisas ja`,
  nl: `de het een en of met zonder voor is zijn was waren niet ook maar heel hoe wij we ze zij je jij u te in op aan van uit bij na door om als
    dat die dit deze er een twee drie vier vijf zes zeven acht negen tien honderd duizend miljoen jaar jaren dag dagen uur minuten tijd keer altijd nooit
    wordt worden heeft hebben had kan kunnen maakt maken gaat komt tot dan hier daar zich wereld leven deel meer veel alle`,
  pl: `i w z na do od po za o u ze oraz lub albo ale nie tak to ten ta te jest sa byl byla bylo byc sie jak co kto gdzie kiedy ktory ktora ktore
    jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec sto tysiac milion rok lat roku dzien dni godzin czas raz zawsze nigdy wszystko kazdy inny
    moze ma maja przez dla przed pod nad swiat zycie czesc rzecz bardzo wiecej`,
  hi: `का के की को से में पर और या है हैं था थे थी हो होता होती होते कि जो यह वह ये वे इस उस एक दो तीन चार पांच पाँच छह सात आठ नौ दस सौ हज़ार हजार लाख
    करोड़ साल वर्ष दिन घंटे समय बार नहीं न भी ही तो तक लिए साथ बाद पहले अब जब तब कर करना करता करते करें करती किया गया गई रहा रही रहे आप हम मैं तुम अपने अपनी
    अपना कुछ सब बहुत कम ज़्यादा ज्यादा क्यों कैसे क्या कौन दुनिया जीवन ने हर`,
  ko: `그 이 저 것 수 등 및 더 또 한 두 세 네 년 월 일 시간 분 때 위 아래 매우 모든 많은 이것 그것 우리 당신 하나 둘 셋 세계 사람`,
  zh: `的 了 和 是 在 我 你 他 她 它 们 这 那 有 不 也 就 都 而 及 与 一 二 三 四 五 六 七 八 九 十 百 千 万 亿 年 月 日 天 时 分 上 下 中 大 小 多 少
    人 会 能 要 说 到 去 来 很 更 最 被 把 让 从 对 个 只 之 于 以 为`,
}

const sets = new Map<string, ReadonlySet<string>>()

export function pictureStopWords(language: string): ReadonlySet<string> {
  const known = sets.get(language)
  if (known) return known
  const words = new Set((stopWords[language] ?? '').split(/\s+/).filter(Boolean))
  sets.set(language, words)
  return words
}
