/** The phrases of the built-in writer in the languages in which it gives no advice: what it says holds for anything one can wonder about. */
import type { InsightPhrases } from './other-knowing.ts'
import type { ScriptFrame } from './other-points.ts'

export const furtherLanguages: Record<string, ScriptFrame & { knowing: InsightPhrases }> = {
  nl: {
    request: /^(?:maak|schrijf)\s+(?:een\s+)?(?:\S+\s+){0,3}?(?:video|script|verhaal)\S*\s+over\s+/i,
    hooks: [
      'Het onderwerp van vandaag: {it} Het verdient een minuut van je tijd.',
      '{it} Bijna niemand staat daar bij stil.',
      '{it} Er zit meer achter dan je denkt.',
    ],
    openers: ['Ten eerste:', 'Ten tweede:', 'Bovendien:', 'En tot slot:'],
    knowing: {
      points: [
        [
          'het voor de hand liggende antwoord is zelden het hele antwoord.',
          'Wat iedereen herhaalt, is vooral makkelijk te onthouden.',
          'Vraag je af wat er ontbreekt.',
        ],
        [
          'de kleine details vertellen het verhaal.',
          'Van ver lijkt alles eenvoudig, maar van dichtbij heeft elk stuk zijn reden.',
          'Kies een detail dat je verrast.',
        ],
        [
          'de beste vragen klinken eenvoudig.',
          'Een kind zou vragen waarom, en daarna nog een keer waarom.',
          'Probeer het zelf.',
        ],
        [
          'er is een deel dat niemand ziet.',
          'Achter elk resultaat zit een proces, en daar speelt het echte verhaal.',
          'Let er eens op.',
        ],
      ],
      closes: [
        'Bewaar deze video en deel hem met iemand die nieuwsgierig is.',
        'Nu weet je waar je moet kijken.',
        'Blijf nieuwsgierig en kijk eens wat beter.',
      ],
    },
  },
  pl: {
    request: /^(?:zrób|stwórz|napisz)\s+(?:\S+\s+){0,3}?(?:film|wideo|skrypt)\S*\s+o\s+/i,
    hooks: [
      'Temat na dziś: {it} To jest warte minuty twojego czasu.',
      '{it} Prawie nikt się nad tym nie zastanawia.',
      '{it} Kryje się za tym więcej, niż się wydaje.',
    ],
    openers: ['Po pierwsze:', 'Po drugie:', 'Poza tym:', 'I na koniec:'],
    knowing: {
      points: [
        [
          'oczywista odpowiedź rzadko jest całą odpowiedzią.',
          'To, co wszyscy powtarzają, po prostu łatwo zapamiętać.',
          'Zapytaj, czego w niej brakuje.',
        ],
        [
          'małe szczegóły opowiadają całą historię.',
          'Z daleka wszystko wygląda prosto, ale z bliska każdy element ma swój powód.',
          'Wybierz szczegół, który cię zaskakuje.',
        ],
        [
          'najlepsze pytania brzmią prosto.',
          'Dziecko zapytałoby dlaczego, a potem jeszcze raz dlaczego.',
          'Spróbuj tego samego.',
        ],
        [
          'jest część, której nikt nie widzi.',
          'Za każdym wynikiem stoi proces i to tam dzieje się prawdziwa historia.',
          'Warto o tym pamiętać.',
        ],
      ],
      closes: [
        'Zapisz ten film i pokaż go komuś ciekawemu świata.',
        'Teraz wiesz, gdzie patrzeć.',
        'Patrz uważnie i pytaj dalej.',
      ],
    },
  },
  hi: {
    request: /(?!)/,
    hooks: ['आज का विषय: {it} इसे एक मिनट दीजिए।', '{it} बहुत कम लोग इस पर रुककर सोचते हैं।', '{it} इसके पीछे बहुत कुछ है।'],
    openers: ['पहली बात:', 'दूसरी बात:', 'इसके अलावा:', 'और आख़िर में:'],
    knowing: {
      points: [
        [
          'सीधा जवाब अक्सर पूरा जवाब नहीं होता।',
          'जो बात सब दोहराते हैं, वह बस याद रखने में आसान होती है।',
          'पूछिए कि उसमें क्या छूट गया है।',
        ],
        [
          'छोटी बातें ही असली कहानी बताती हैं।',
          'दूर से सब आसान लगता है, पर पास से हर चीज़ का एक कारण दिखता है।',
          'कोई एक बात चुनिए और उसे ध्यान से देखिए।',
        ],
        ['सबसे अच्छे सवाल आसान लगते हैं।', 'एक बच्चा पूछेगा क्यों, और फिर से क्यों।', 'आप भी पूछकर देखिए।'],
        ['इसका एक हिस्सा दिखाई नहीं देता।', 'हर नतीजे के पीछे एक प्रक्रिया होती है।', 'असली कहानी वहीं है।'],
      ],
      closes: [
        'यह वीडियो सहेजिए और किसी जिज्ञासु दोस्त को भेजिए।',
        'अब आप जानते हैं कि कहाँ देखना है।',
        'सवाल पूछते रहिए और थोड़ा और पास से देखिए।',
      ],
    },
  },
  ko: {
    request: /(?!)/,
    hooks: [
      '오늘의 주제입니다. {it} 잠깐만 시간을 내 보세요.',
      '{it} 멈춰서 생각해 본 사람은 많지 않습니다.',
      '{it} 생각보다 많은 이야기가 숨어 있습니다.',
    ],
    openers: ['첫째,', '둘째,', '그리고,', '마지막으로,'],
    knowing: {
      points: [
        [
          '뻔한 대답은 전부가 아닌 경우가 많습니다.',
          '모두가 되풀이하는 말은 그저 기억하기 쉬운 말일 때가 많습니다.',
          '무엇이 빠졌는지 물어보세요.',
        ],
        [
          '작은 부분이 이야기를 만듭니다.',
          '멀리서는 단순해 보여도 가까이서 보면 모든 것에 이유가 있습니다.',
          '놀라운 부분 하나를 골라 따라가 보세요.',
        ],
        [
          '좋은 질문은 단순하게 들립니다.',
          '아이라면 왜냐고 묻고, 또다시 왜냐고 물을 것입니다.',
          '직접 한번 해 보세요.',
        ],
        ['아무도 보지 못하는 부분이 있습니다.', '모든 결과 뒤에는 과정이 있습니다.', '진짜 이야기는 그곳에 있습니다.'],
      ],
      closes: [
        '이 영상을 저장하고 궁금해할 친구와 나누세요.',
        '이제 어디를 봐야 할지 알게 되었습니다.',
        '계속 궁금해하며 조금 더 가까이 들여다보세요.',
      ],
    },
  },
  zh: {
    request: /(?!)/,
    hooks: ['今天的话题是： {it} 值得你花一分钟。', '{it} 很少有人停下来想一想。', '{it} 这背后的故事比看上去更多。'],
    openers: ['第一，', '第二，', '另外，', '最后，'],
    knowing: {
      points: [
        ['显而易见的答案很少是完整的答案。', '大家都在重复的话，往往只是最容易记住的话。', '想一想还缺了什么。'],
        [
          '小细节讲述真正的故事。',
          '远看一切都很简单，近看每一部分都有它的理由。',
          '选一个让你惊讶的细节，一直追下去。',
        ],
        ['最好的问题听起来都很简单。', '孩子会问为什么，然后再问一次为什么。', '你也可以试一试。'],
        ['有一部分是谁也看不见的。', '每个结果背后都有一个过程。', '真正的故事就在那里。'],
      ],
      closes: ['收藏这个视频，分享给好奇的朋友。', '现在你知道该往哪里看了。', '保持好奇，再靠近一点看。'],
    },
  },
}
