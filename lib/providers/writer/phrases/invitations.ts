/** Sentences that invite the viewer to answer or to come back, for any subject. */
export const invitations: Partial<Record<string, { questions: readonly string[]; calls: readonly string[] }>> = {
  en: {
    questions: ['What do you think?', 'Which part surprised you most?', 'Have you tried this?'],
    calls: ['Follow for more.', 'Save this for later.', 'Share it with someone who needs it.'],
  },
  de: {
    questions: ['Was denkst du darüber?', 'Was hat dich am meisten überrascht?', 'Hast du das schon ausprobiert?'],
    calls: ['Folge uns für mehr.', 'Speichere dir das für später.', 'Teile es mit jemandem, der es braucht.'],
  },
  es: {
    questions: ['¿Qué opinas?', '¿Qué te ha sorprendido más?', '¿Ya lo has probado?'],
    calls: ['Síguenos para más.', 'Guárdalo para después.', 'Compártelo con quien lo necesite.'],
  },
  fr: {
    questions: ['Qu’en penses-tu ?', 'Qu’est-ce qui t’a le plus surpris ?', 'Tu as déjà essayé ?'],
    calls: ['Abonne-toi pour en voir plus.', 'Garde-le pour plus tard.', 'Partage-le avec quelqu’un qui en a besoin.'],
  },
  it: {
    questions: ['Che cosa ne pensi?', 'Che cosa ti ha sorpreso di più?', 'L’hai già provato?'],
    calls: ['Seguici per altri video.', 'Salvalo per dopo.', 'Condividilo con chi ne ha bisogno.'],
  },
  pt: {
    questions: ['O que você acha?', 'O que mais te surpreendeu?', 'Você já tentou?'],
    calls: ['Siga para ver mais.', 'Salve para depois.', 'Compartilhe com quem precisa.'],
  },
  nl: {
    questions: ['Wat vind jij?', 'Wat verraste je het meest?', 'Heb je dit al geprobeerd?'],
    calls: ['Volg voor meer.', 'Bewaar dit voor later.', 'Deel het met iemand die het nodig heeft.'],
  },
  pl: {
    questions: ['Co o tym myślisz?', 'Co zaskoczyło cię najbardziej?', 'Czy już tego próbowałeś?'],
    calls: ['Obserwuj po więcej.', 'Zapisz na później.', 'Udostępnij komuś, kto tego potrzebuje.'],
  },
  hi: {
    questions: ['आप क्या सोचते हैं?', 'आपको सबसे ज़्यादा किस बात ने चौंकाया?'],
    calls: ['और देखने के लिए फ़ॉलो करें।', 'इसे बाद के लिए सहेज लें।'],
  },
  ko: {
    questions: ['어떻게 생각하세요?', '가장 놀라운 점은 무엇이었나요?'],
    calls: ['더 보려면 팔로우하세요.', '나중을 위해 저장해 두세요.'],
  },
  zh: {
    questions: ['你怎么看？', '哪一点最让你惊讶？'],
    calls: ['关注我们，了解更多。', '收藏起来，以后再看。'],
  },
}
