/** What can be said in languages other than English of anything one wonders about: the advice of `other-points.ts` would answer no question. */
import type { Point } from './english-points.ts'

export interface InsightPhrases {
  points: readonly Point[]
  closes: readonly string[]
}

export const insightPhrasesByLanguage: Record<string, InsightPhrases> = {
  es: {
    points: [
      [
        'la respuesta obvia rara vez es toda la respuesta.',
        'Lo que todos repiten suele ser lo más fácil de recordar, no lo más importante.',
        'Antes de estar de acuerdo, pregúntate qué es lo que falta.',
      ],
      [
        'los pequeños detalles cuentan la historia.',
        'De lejos todo parece sencillo, pero de cerca cada pieza tiene su razón.',
        'Elige un detalle que te sorprenda y síguelo hasta el final.',
      ],
      [
        'las mejores preguntas parecen simples.',
        'Un niño preguntaría por qué, y luego otra vez por qué, y pronto los adultos tienen que pensar.',
        'Haz la prueba y mira dónde se acaba tu propia explicación.',
      ],
      [
        'hay una parte que nadie ve.',
        'Detrás de cada resultado hay un proceso, y ahí está la verdadera historia.',
        'Cuando sabes que existe, el resultado se ve muy distinto.',
      ],
      [
        'las excepciones son las que más enseñan.',
        'Una regla dice lo que pasa casi siempre, y una excepción muestra por qué pasa.',
        'Busca el caso que no encaja y quédate un rato con él.',
      ],
      [
        'una parte sigue siendo un misterio.',
        'Es tentador llenar cada hueco con una suposición, pero un hueco sincero vale más.',
        'Quien dice que no lo sabe merece a menudo que se le escuche.',
      ],
    ],
    closes: [
      'Guarda este video y compártelo con alguien curioso.',
      'Ahora ya sabes dónde mirar.',
      'Sigue con curiosidad y mira un poco más de cerca.',
    ],
  },
  fr: {
    points: [
      [
        'la réponse évidente est rarement toute la réponse.',
        'Ce que tout le monde répète est souvent le plus facile à retenir, pas le plus important.',
        "Avant d'être d'accord, demandez-vous ce qui manque.",
      ],
      [
        "les petits détails racontent l'histoire.",
        'De loin, tout paraît simple, mais de près, chaque pièce a sa raison.',
        "Choisissez un détail qui vous surprend, et suivez-le jusqu'au bout.",
      ],
      [
        'les meilleures questions ont l’air simples.',
        'Un enfant demanderait pourquoi, puis encore pourquoi, et bientôt les adultes doivent réfléchir.',
        "Faites l'essai, et regardez où votre propre explication s'arrête.",
      ],
      [
        'il y a une part que personne ne voit.',
        "Derrière chaque résultat il y a un processus, et c'est là que se trouve la vraie histoire.",
        'Une fois que vous le savez, le résultat paraît très différent.',
      ],
      [
        'ce sont les exceptions qui apprennent le plus.',
        'Une règle dit ce qui arrive presque toujours, et une exception montre pourquoi.',
        'Cherchez le cas qui ne rentre pas dans la règle, et restez-y un moment.',
      ],
      [
        'une part reste un mystère.',
        'Il est tentant de remplir chaque vide par une supposition, mais un vide sincère vaut mieux.',
        "Ceux qui disent ne pas savoir méritent souvent d'être écoutés.",
      ],
    ],
    closes: [
      "Gardez cette vidéo, et partagez-la avec quelqu'un de curieux.",
      'Maintenant, vous savez où regarder.',
      'Restez curieux, et regardez de plus près.',
    ],
  },
  de: {
    points: [
      [
        'die naheliegende Antwort ist selten die ganze Antwort.',
        'Was alle wiederholen, lässt sich meist leicht merken, aber es ist nicht immer das Wichtigste.',
        'Frag dich, bevor du zustimmst, was dabei fehlt.',
      ],
      [
        'die kleinen Einzelheiten erzählen die Geschichte.',
        'Von weitem sieht alles einfach aus, aber von nahem hat jedes Teil seinen Grund.',
        'Such dir eine Einzelheit, die dich überrascht, und geh ihr nach.',
      ],
      [
        'die besten Fragen klingen einfach.',
        'Ein Kind würde fragen, warum, und dann noch einmal, und bald müssen die Erwachsenen nachdenken.',
        'Probier es aus und achte darauf, wo deine eigene Erklärung endet.',
      ],
      [
        'es gibt einen Teil, den niemand sieht.',
        'Hinter jedem Ergebnis steht ein Vorgang, und dort spielt die eigentliche Geschichte.',
        'Wer das weiß, sieht das Ergebnis mit anderen Augen.',
      ],
      [
        'am meisten lehren die Ausnahmen.',
        'Eine Regel sagt, was meistens geschieht, und eine Ausnahme zeigt, warum es geschieht.',
        'Such den einen Fall, der nicht passt, und bleib eine Weile bei ihm.',
      ],
      [
        'manches davon ist noch immer ein Rätsel.',
        'Es ist verlockend, jede Lücke mit einer Vermutung zu füllen, doch eine ehrliche Lücke ist mehr wert.',
        'Wer sagt, dass er es nicht weiß, dem sollte man oft zuhören.',
      ],
    ],
    closes: [
      'Speichere dieses Video und teile es mit jemandem, der neugierig ist.',
      'Jetzt weißt du, wo du hinschauen musst.',
      'Bleib neugierig und schau genauer hin.',
    ],
  },
  it: {
    points: [
      [
        'la risposta ovvia raramente è tutta la risposta.',
        'Quello che tutti ripetono è spesso il più facile da ricordare, non il più importante.',
        "Prima di essere d'accordo, chiediti che cosa manca.",
      ],
      [
        'sono i piccoli dettagli a raccontare la storia.',
        'Da lontano tutto sembra semplice, ma da vicino ogni pezzo ha la sua ragione.',
        'Scegli un dettaglio che ti sorprende e seguilo fino in fondo.',
      ],
      [
        'le domande migliori sembrano semplici.',
        'Un bambino chiederebbe perché, e poi ancora perché, e presto gli adulti devono pensarci.',
        'Prova anche tu e guarda dove finisce la tua spiegazione.',
      ],
      [
        "c'è una parte che nessuno vede.",
        "Dietro ogni risultato c'è un processo, ed è lì che si trova la vera storia.",
        'Quando lo sai, il risultato appare molto diverso.',
      ],
      [
        'le eccezioni insegnano più di tutto.',
        "Una regola dice che cosa succede quasi sempre, e un'eccezione mostra perché succede.",
        'Cerca il caso che non torna e resta un momento con lui.',
      ],
      [
        'una parte resta ancora un mistero.',
        "È facile riempire ogni vuoto con un'ipotesi, ma un vuoto sincero vale di più.",
        'Chi dice di non sapere merita spesso di essere ascoltato.',
      ],
    ],
    closes: [
      'Salva questo video e condividilo con una persona curiosa.',
      'Adesso sai dove guardare.',
      "Resta curioso e guarda un po' più da vicino.",
    ],
  },
  pt: {
    points: [
      [
        'a resposta óbvia raramente é a resposta inteira.',
        'O que todos repetem costuma ser o mais fácil de lembrar, não o mais importante.',
        'Antes de concordar, pergunte o que está faltando.',
      ],
      [
        'os pequenos detalhes contam a história.',
        'De longe tudo parece simples, mas de perto cada peça tem a sua razão.',
        'Escolha um detalhe que surpreende você e siga esse detalhe até o fim.',
      ],
      [
        'as melhores perguntas parecem simples.',
        'Uma criança perguntaria por quê, e depois por quê outra vez, e logo os adultos precisam pensar.',
        'Faça o teste e veja onde a sua própria explicação termina.',
      ],
      [
        'há uma parte que ninguém vê.',
        'Por trás de cada resultado há um processo, e é ali que está a verdadeira história.',
        'Quando você sabe disso, o resultado parece bem diferente.',
      ],
      [
        'são as exceções que mais ensinam.',
        'Uma regra diz o que quase sempre acontece, e uma exceção mostra por que acontece.',
        'Procure o caso que não se encaixa e fique um pouco com ele.',
      ],
      [
        'uma parte ainda é um mistério.',
        'É tentador preencher cada lacuna com um palpite, mas uma lacuna sincera vale mais.',
        'Quem diz que não sabe muitas vezes merece ser ouvido.',
      ],
    ],
    closes: [
      'Salve este vídeo e compartilhe com alguém curioso.',
      'Agora você sabe para onde olhar.',
      'Continue curioso e olhe um pouco mais de perto.',
    ],
  },
}
