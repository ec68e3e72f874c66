/** The phrases of the built-in writer in languages other than English. `{it}` is the idea, always a sentence of its own. */
import type { Point } from './english-points.ts'

export interface ScriptFrame {
  /** "Make a video about ...", which is not part of the idea. */
  request: RegExp
  hooks: readonly string[]
  /** One for each of the first points; the last one is kept for the last point. */
  openers: readonly string[]
}

/** With advice, for who asks for it. */
export interface Phrases extends ScriptFrame {
  points: readonly Point[]
  closes: readonly string[]
}

export const phrasesByLanguage: Record<string, Phrases> = {
  es: {
    request:
      /^(?:por favor,? )?(?:haz(?:me)?|crea|escribe|genera|quiero)\s+(?:un|una)\s+(?:\S+\s+){0,3}?(?:v[ií]deo|guion|reel|historia)\S*\s+(?:sobre|de|acerca de)\s+/i,
    hooks: [
      'El tema de hoy: {it} Merece un minuto de tu tiempo.',
      'Hablemos claro. {it} Hay más detrás de lo que parece.',
      '{it} Casi nadie se detiene a pensarlo.',
    ],
    openers: ['Primero:', 'Segundo:', 'Además:', 'Otra cosa:', 'También importa esto:', 'Y por último:'],
    points: [
      [
        'empieza por algo muy pequeño.',
        'Un paso que no puede fallar es un paso que sí vas a dar, y el impulso hace el resto.',
        'Pregúntate qué podrías terminar en cinco minutos y haz solo eso hoy.',
      ],
      [
        'decide qué quieres antes de decidir cómo.',
        'El esfuerzo sin una meta parece progreso, pero casi siempre da vueltas en círculo.',
        'Escribe el resultado en una frase sencilla y tenla a la vista.',
      ],
      [
        'quita un obstáculo del camino.',
        'Solemos empujar más fuerte cuando sería más fácil eliminar lo que nos frena.',
        'Recuerda la última vez que te atascaste y arregla primero esa causa.',
      ],
      [
        'aprende de alguien que va un paso por delante.',
        'Esa persona todavía recuerda sus errores y puede ahorrarte muchos.',
        'Hazle una pregunta concreta y prueba la respuesta el mismo día.',
      ],
      [
        'equivócate pronto y barato.',
        'Cada error seguro te enseña algo que ningún plan podía contarte.',
        'Prueba una versión sencilla, enséñala y cambia lo que no funcione.',
      ],
      [
        'repite lo que funciona, aunque parezca aburrido.',
        'Los resultados vienen de lo que haces a menudo, no de lo que haces una sola vez.',
        'Quédate con el hábito que más te ayudó y suelta los demás.',
      ],
      [
        'descansa a propósito.',
        'Una pausa planeada te recupera, mientras que una pausa con culpa solo roba tiempo.',
        'Ponla en tu agenda y respétala como cualquier otra cita.',
      ],
    ],
    closes: [
      'Elige una de estas ideas y pruébala hoy.',
      'Guarda este video y compártelo con quien lo necesite.',
      'Ahora ya lo sabes. El siguiente paso es tuyo.',
    ],
  },
  fr: {
    request:
      /^(?:s'il (?:te|vous) plaît,? )?(?:fais|faites|crée|créez|écris|écrivez|génère|je veux)\s+(?:une?)\s+(?:\S+\s+){0,3}?(?:vidéo|script|reel|histoire)\S*\s+(?:sur|à propos de)\s+/i,
    hooks: [
      'Le sujet du jour : {it} Cela mérite une minute de votre temps.',
      'Parlons franchement. {it} Il y a bien plus derrière.',
      "{it} Presque personne ne s'arrête pour y réfléchir.",
    ],
    openers: ["D'abord :", 'Ensuite :', 'De plus :', 'Autre chose :', 'Ceci compte aussi :', 'Et pour finir :'],
    points: [
      [
        'commencez par quelque chose de tout petit.',
        "Un pas trop petit pour échouer est un pas que l'on fait vraiment, et l'élan fait le reste.",
        "Demandez-vous ce que vous pourriez finir en cinq minutes, et ne faites que cela aujourd'hui.",
      ],
      [
        'décidez ce que vous voulez avant de chercher comment.',
        "L'effort sans but ressemble au progrès, mais il tourne souvent en rond.",
        'Écrivez le résultat en une phrase simple, et gardez-la sous les yeux.',
      ],
      [
        'enlevez un obstacle du chemin.',
        'Nous poussons plus fort, alors qu’il serait plus facile de retirer ce qui nous freine.',
        'Repensez à votre dernier blocage, et réglez cette cause en premier.',
      ],
      [
        "apprenez de quelqu'un qui a un pas d'avance.",
        'Cette personne se souvient encore de ses erreurs, et peut vous en éviter beaucoup.',
        'Posez-lui une question précise, et essayez sa réponse le jour même.',
      ],
      [
        'trompez-vous tôt, et à peu de frais.',
        "Chaque petite erreur vous apprend ce qu'aucun plan n'aurait pu dire.",
        'Essayez une version simple, montrez-la, et changez ce qui ne marche pas.',
      ],
      [
        "répétez ce qui marche, même si c'est ennuyeux.",
        'Les résultats viennent de ce que vous faites souvent, pas de ce que vous faites une seule fois.',
        "Gardez l'habitude qui vous a le plus aidé, et laissez tomber les autres.",
      ],
      [
        'reposez-vous exprès.',
        'Une pause prévue vous rend des forces, alors qu’une pause coupable ne fait que voler du temps.',
        "Notez-la dans votre agenda, et respectez-la comme n'importe quel rendez-vous.",
      ],
    ],
    closes: [
      "Choisissez une de ces idées, et essayez-la aujourd'hui.",
      "Gardez cette vidéo, et partagez-la avec quelqu'un qui en a besoin.",
      'Maintenant, vous savez. Le prochain pas est le vôtre.',
    ],
  },
  de: {
    request:
      /^(?:bitte )?(?:mach|mache|erstelle|schreib|schreibe|produziere|ich möchte)\s+(?:mir )?(?:ein(?:e|en)?)\s+(?:\S+\s+){0,3}?(?:video|skript|reel|geschichte)\S*\s+(?:über|zum thema|zu)\s+/i,
    hooks: [
      'Das Thema heute: {it} Es verdient eine Minute deiner Zeit.',
      'Reden wir Klartext. {it} Dahinter steckt mehr, als man denkt.',
      '{it} Kaum jemand hält an und denkt darüber nach.',
    ],
    openers: ['Erstens:', 'Zweitens:', 'Außerdem:', 'Noch etwas:', 'Auch das zählt:', 'Und zum Schluss:'],
    points: [
      [
        'fang mit etwas ganz Kleinem an.',
        'Ein Schritt, der nicht scheitern kann, ist ein Schritt, den du wirklich gehst, und der Schwung macht den Rest.',
        'Frag dich, was du in fünf Minuten schaffen könntest, und mach heute nur das.',
      ],
      [
        'entscheide, was du willst, bevor du entscheidest, wie.',
        'Mühe ohne Ziel fühlt sich wie Fortschritt an, dreht sich aber meist im Kreis.',
        'Schreib das Ergebnis in einem einfachen Satz auf und behalte ihn im Blick.',
      ],
      [
        'räum ein Hindernis aus dem Weg.',
        'Wir drücken oft stärker, obwohl es leichter wäre, die Bremse zu lösen.',
        'Denk an das letzte Mal, als du nicht weiterkamst, und behebe zuerst diese Ursache.',
      ],
      [
        'lerne von jemandem, der einen Schritt weiter ist.',
        'Dieser Mensch erinnert sich noch an seine Fehler und kann dir viele ersparen.',
        'Stell eine genaue Frage und probiere die Antwort noch am selben Tag aus.',
      ],
      [
        'mach Fehler früh und günstig.',
        'Jeder kleine Fehler lehrt dich etwas, das kein Plan dir sagen konnte.',
        'Versuch es mit einer einfachen Fassung, zeig sie her und ändere, was nicht funktioniert.',
      ],
      [
        'wiederhole, was funktioniert, auch wenn es langweilig ist.',
        'Ergebnisse kommen von dem, was du oft tust, nicht von dem, was du einmal tust.',
        'Behalte die Gewohnheit, die am meisten geholfen hat, und lass die anderen los.',
      ],
      [
        'ruh dich mit Absicht aus.',
        'Eine geplante Pause gibt dir Kraft, eine mit schlechtem Gewissen stiehlt nur Zeit.',
        'Trag sie in den Kalender ein und halte sie ein wie jeden anderen Termin.',
      ],
    ],
    closes: [
      'Such dir eine dieser Ideen aus und probiere sie heute.',
      'Speichere dieses Video und teile es mit jemandem, der es braucht.',
      'Jetzt weißt du es. Der nächste Schritt gehört dir.',
    ],
  },
  it: {
    request:
      /^(?:per favore,? )?(?:fai|fammi|crea|scrivi|genera|voglio)\s+(?:una?|uno)\s+(?:\S+\s+){0,3}?(?:video|script|reel|storia)\S*\s+(?:su(?:l|lla|i|gli|lle)?|riguardo a)\s+/i,
    hooks: [
      'Il tema di oggi: {it} Merita un minuto del tuo tempo.',
      'Parliamo chiaro. {it} Dietro c’è molto di più.',
      '{it} Quasi nessuno si ferma a pensarci.',
    ],
    openers: ['Primo:', 'Secondo:', 'Inoltre:', "Un'altra cosa:", 'Conta anche questo:', 'E per finire:'],
    points: [
      [
        'comincia da qualcosa di molto piccolo.',
        'Un passo che non può fallire è un passo che farai davvero, e lo slancio fa il resto.',
        'Chiediti che cosa potresti finire in cinque minuti, e oggi fai solo quello.',
      ],
      [
        'decidi che cosa vuoi prima di decidere come.',
        'La fatica senza una meta sembra progresso, ma di solito gira in tondo.',
        'Scrivi il risultato in una frase semplice e tienila sotto gli occhi.',
      ],
      [
        'togli un ostacolo dalla strada.',
        'Spesso spingiamo più forte, quando sarebbe più facile togliere ciò che ci frena.',
        "Ripensa all'ultima volta che ti sei bloccato e risolvi prima quella causa.",
      ],
      [
        'impara da chi è un passo avanti.',
        'Quella persona ricorda ancora i suoi errori e può risparmiartene molti.',
        'Fai una domanda precisa e prova la risposta il giorno stesso.',
      ],
      [
        'sbaglia presto e con poco.',
        'Ogni piccolo errore ti insegna qualcosa che nessun piano poteva dirti.',
        'Prova una versione semplice, mostrala e cambia quello che non funziona.',
      ],
      [
        'ripeti ciò che funziona, anche se sembra noioso.',
        'I risultati vengono da quello che fai spesso, non da quello che fai una volta sola.',
        "Tieni l'abitudine che ti ha aiutato di più e lascia andare le altre.",
      ],
      [
        'riposa di proposito.',
        'Una pausa prevista ti ricarica, mentre una pausa con i sensi di colpa ruba solo tempo.',
        'Mettila in agenda e rispettala come ogni altro appuntamento.',
      ],
    ],
    closes: [
      'Scegli una di queste idee e provala oggi.',
      'Salva questo video e condividilo con chi ne ha bisogno.',
      'Adesso lo sai. Il prossimo passo è tuo.',
    ],
  },
  pt: {
    request:
      /^(?:por favor,? )?(?:faça|faz|crie|escreva|gere|quero)\s+(?:um|uma)\s+(?:\S+\s+){0,3}?(?:v[ií]deo|roteiro|reel|história)\S*\s+(?:sobre|de)\s+/i,
    hooks: [
      'O tema de hoje: {it} Ele merece um minuto do seu tempo.',
      'Vamos falar claro. {it} Há muito mais por trás disso.',
      '{it} Quase ninguém para para pensar nisso.',
    ],
    openers: ['Primeiro:', 'Segundo:', 'Além disso:', 'Outra coisa:', 'Isto também importa:', 'E por último:'],
    points: [
      [
        'comece por algo bem pequeno.',
        'Um passo que não pode falhar é um passo que você vai dar de verdade, e o impulso faz o resto.',
        'Pergunte o que você poderia terminar em cinco minutos e faça só isso hoje.',
      ],
      [
        'decida o que você quer antes de decidir como.',
        'Esforço sem meta parece progresso, mas quase sempre anda em círculos.',
        'Escreva o resultado em uma frase simples e deixe essa frase à vista.',
      ],
      [
        'tire um obstáculo do caminho.',
        'Costumamos empurrar com mais força, quando seria mais fácil remover aquilo que nos freia.',
        'Lembre da última vez que você travou e resolva primeiro essa causa.',
      ],
      [
        'aprenda com quem está um passo à frente.',
        'Essa pessoa ainda se lembra dos próprios erros e pode poupar você de muitos.',
        'Faça uma pergunta específica e teste a resposta no mesmo dia.',
      ],
      [
        'erre cedo e gastando pouco.',
        'Cada erro pequeno ensina algo que nenhum plano poderia contar.',
        'Teste uma versão simples, mostre a alguém e mude o que não funcionar.',
      ],
      [
        'repita o que funciona, mesmo que pareça chato.',
        'Os resultados vêm do que você faz sempre, não do que você faz uma vez só.',
        'Fique com o hábito que mais ajudou e deixe os outros de lado.',
      ],
      [
        'descanse de propósito.',
        'Uma pausa planejada recupera você, enquanto uma pausa com culpa só rouba tempo.',
        'Coloque a pausa na agenda e respeite como qualquer outro compromisso.',
      ],
    ],
    closes: [
      'Escolha uma destas ideias e experimente hoje.',
      'Salve este vídeo e compartilhe com quem precisa.',
      'Agora você sabe. O próximo passo é seu.',
    ],
  },
}
