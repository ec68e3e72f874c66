/** What the built-in writer can say in English. Each point is `[lead, why, how]`: the lead stands alone, the rest deepens it. */

export type Point = readonly [lead: string, why: string, how: string]

export interface Subject {
  /** A prompt with one of these words is about this subject. */
  words: RegExp
  /** Whether its points advise (leads are imperatives) or tell something (leads are statements). */
  manner: 'advises' | 'tells'
  points: readonly Point[]
}

/** Advice that holds for anything one can do. Leads are imperatives. */
export const advicePoints: readonly Point[] = [
  [
    'start smaller than feels reasonable.',
    'A step that is too small to fail is a step you will actually take, and momentum does the rest.',
    'Ask what you could finish in five minutes, and do only that today.',
  ],
  [
    'decide what you want before you decide how.',
    'Effort without a target feels like progress, but it mostly goes in circles.',
    'Write the result you want in one plain sentence, and keep it where you can see it.',
  ],
  [
    'remove one thing that gets in the way.',
    'We usually try to push harder, when it is far easier to take away the friction.',
    'Look at the last time you got stuck, and fix that one obstacle first.',
  ],
  [
    'measure one number, and only one.',
    'What you count, you notice, and what you notice tends to improve.',
    'Pick a number you can check in ten seconds, and look at it every week.',
  ],
  [
    'learn from someone who is one step ahead of you.',
    'Experts forget what being new felt like, but someone close to you still remembers every mistake.',
    'Find that person, ask one specific question, and try the answer the same day.',
  ],
  [
    'expect the boring middle.',
    'The start is exciting and the finish is rewarding, but most people quit somewhere in between.',
    'Plan a small reward for the halfway point, so there is always something near to reach for.',
  ],
  [
    'do the hard part first.',
    'Willpower is highest before the day has had its say, and everything after feels lighter.',
    'Choose the one task you would love to avoid, and give it your first half hour.',
  ],
  [
    'make mistakes cheap, then make plenty of them.',
    'Every safe mistake teaches something that no amount of planning could have told you.',
    'Try a rough version, show it to one person, and change what did not work.',
  ],
  [
    'tell somebody what you are doing.',
    'A promise that another person has heard is much harder to forget.',
    'Send one message today, and say exactly what you will have done by Friday.',
  ],
  [
    'rest on purpose, not by accident.',
    'A planned break restores you, while a guilty one only steals time from both work and rest.',
    'Put the pause in your calendar, and treat it like any other appointment.',
  ],
  [
    'look back before you push on.',
    'Ten minutes of honest review can save you a month in the wrong direction.',
    'Ask what worked, what did not, and what you will change next.',
  ],
  [
    'set a date, even a rough one.',
    'Without an end, every plan quietly grows until it is too big to begin.',
    'Choose a day on the calendar, and let it decide what is left out.',
  ],
  [
    'prepare the place before you need it.',
    'What lies within reach gets done, and what must be searched for gets postponed.',
    'Lay out the things you need tonight, so that tomorrow begins with the real work.',
  ],
  [
    'say no to something.',
    'Every yes is paid for with time that was meant for something else.',
    'Look at this week, cancel one thing that does not matter, and protect the empty space.',
  ],
  [
    'keep a short record.',
    'Memory is kind to us and forgets exactly the details that would have helped.',
    'Write three lines when you finish: what you did, what surprised you, and what comes next.',
  ],
  [
    'repeat what works, even when it feels dull.',
    'Results come from the things you do often, not from the things you do once with great enthusiasm.',
    'Keep the one habit that helped most, and let go of two that did not.',
  ],
]

/** Ways to look at anything one can wonder about. Leads are statements that stay true whatever the subject is. */
export const insightPoints: readonly Point[] = [
  [
    'the obvious answer is rarely the whole answer.',
    'What everybody repeats is usually the part that is easiest to remember, not the part that matters most.',
    'So before you agree or disagree, ask what is being left out.',
  ],
  [
    'every subject has a beginning.',
    'Somebody noticed something, gave it a name, and told somebody else, and that first story still shapes how we see it.',
    'Knowing where an idea comes from is the quickest way to understand where it is going.',
  ],
  [
    'the small details carry the story.',
    'From far away everything looks simple, but up close each piece turns out to have a reason.',
    'Pick one detail that surprises you, and follow it as far as it goes.',
  ],
  [
    'people disagree about it, and that is useful.',
    'Where careful people disagree, there is usually something that nobody has fully explained yet.',
    'Listen to the best argument on each side before you choose your own.',
  ],
  [
    'it touches your life more than you think.',
    'The things we understand least are often the things we use without noticing.',
    'Watch for it over the next day, and you will start to see it in places you never looked.',
  ],
  [
    'it is changing right now.',
    'What was true ten years ago may already be out of date, and most people have not caught up.',
    'Check when you learned what you know about it, because the answer may surprise you.',
  ],
  [
    'numbers help, but only with a comparison.',
    'A big figure on its own tells you almost nothing, because there is nothing to hold it against.',
    'Whenever you hear one, ask the simplest question of all: compared to what?',
  ],
  [
    'the best questions sound simple.',
    'A child would ask why, and then why again, and by the third answer most adults have to think.',
    'Try it yourself, and notice where your own explanation runs out.',
  ],
  [
    'there is a part that nobody can see.',
    'Behind every result there is a process, and the process is where the real story happens.',
    'Once you know it is there, the result looks very different.',
  ],
  [
    'patterns repeat.',
    'Something very similar has almost certainly happened before, in another place and under another name.',
    'Find that older example, and you will have a map for the new one.',
  ],
  [
    'experts are still surprised by it.',
    'The more somebody studies a thing, the more carefully they speak about it.',
    'That is not weakness, it is what real knowledge sounds like.',
  ],
  [
    'the exceptions teach the most.',
    'A rule tells you what usually happens, while an exception shows you why it happens.',
    'Look for the one case that does not fit, and stay with it for a while.',
  ],
  [
    'names can hide things.',
    'Once something has a label, we tend to stop looking at what is underneath.',
    'Describe it without using its name, and you will see how much you really know.',
  ],
  [
    'where you stand changes what you see.',
    'The same facts look different from the inside and from the outside, and both views are real.',
    'Imagine explaining it to someone who lived a hundred years ago.',
  ],
  [
    'some of it is still a mystery.',
    'It is tempting to fill every gap with a confident guess, but an honest gap is worth more.',
    'The people who say they do not know are often the ones worth listening to.',
  ],
  [
    'understanding it is a skill, not a talent.',
    'Nobody is born knowing, and everyone who knows started with a question like yours.',
    'Read one good source today, and explain it to a friend tomorrow.',
  ],
]

export const subjects: readonly Subject[] = [
  {
    words:
      /\b(habits?|productiv\w*|focus\w*|routines?|procrastinat\w*|disciplin\w*|goals?|deep work|remote work\w*|work from home|time management|deadlines?|distract\w*|to-do|morning|mornings|office|meetings?)\b/i,
    manner: 'advises',
    points: [
      [
        'decide tonight what tomorrow starts with.',
        'A morning without a plan gets filled by whatever shouts the loudest.',
        'Write down one task before you go to bed, and begin with it before you open a single message.',
      ],
      [
        'put your phone in another room.',
        'A phone on the desk costs attention even when it stays silent, because part of you keeps waiting for it.',
        'Try one hour without it, and see how much further you get.',
      ],
      [
        'attach the new thing to something you already do.',
        'Your brain loves a cue, and an old habit is the most reliable cue there is.',
        'After the coffee, one page. After the shower, two minutes of stretching. That is all it takes.',
      ],
      [
        'work in short, honest sprints.',
        'Nobody focuses for eight hours, but almost everybody can focus for twenty-five minutes.',
        'Set a timer, do one thing, and then get up and walk away from the screen.',
      ],
      [
        'never miss twice.',
        'One bad day is an accident, but two in a row is the start of a different habit.',
        'Forgive the first miss quickly, and make the next day easy enough to win.',
      ],
    ],
  },
  {
    words:
      /\b(sleep\w*|health\w*|fitness|fit|workouts?|run|running|runners?|gym|weight|diets?|exercis\w*|stress\w*|energy|tired|yoga|walk\w*|muscles?|marathon|burnout)\b/i,
    manner: 'advises',
    points: [
      [
        'keep the same bedtime, even on weekends.',
        'Your body runs on a clock, and it works best when the clock is not reset every few days.',
        'Pick a time you can keep, and let the evening get quieter in the hour before it.',
      ],
      [
        'walk more than you plan to.',
        'Walking is the most underrated training there is, because you recover from it almost at once.',
        'Take the first ten minutes after lunch, and leave the headphones at home once in a while.',
      ],
      [
        'go slower to get further.',
        'Most people train too hard on easy days, and are then too tired to improve on hard ones.',
        'If you cannot hold a conversation, slow down until you can.',
      ],
      [
        'get daylight before you get coffee.',
        'Morning light tells your body that the day has begun, and that same signal helps you fall asleep at night.',
        'Step outside for five minutes, even when it is cloudy.',
      ],
      [
        'build a week you could repeat all year.',
        'The perfect plan that lasts ten days loses to the modest plan that lasts ten months.',
        'Start with two fixed days, and only add a third when those two feel normal.',
      ],
    ],
  },
  {
    words:
      /\b(money|invest\w*|sav(?:e|ing|ings)|budget\w*|financ\w*|debts?|rich|wealth\w*|income|salary|retire\w*|stocks?|side hustles?)\b/i,
    manner: 'advises',
    points: [
      [
        'know where it goes before you try to change it.',
        'Most people guess, and most people guess wrong, because the small amounts hide so well.',
        'Look at one month of spending, line by line, without judging anything.',
      ],
      [
        'pay yourself first.',
        'What is left at the end of the month is usually nothing, so take it at the beginning.',
        'Set up a transfer for the day after payday, and let it happen without you.',
      ],
      [
        'build a cushion before you chase a return.',
        'An emergency costs twice as much when you have to borrow for it.',
        'Aim for one month of expenses first, and only then think bigger.',
      ],
      [
        'let time do the heavy lifting.',
        'Growth that builds on itself looks boring for years, and then suddenly it does not.',
        'Start with a small amount today, because the years matter more than the amount.',
      ],
      [
        'be careful with anything that sounds urgent.',
        'Good decisions about money almost never expire at midnight.',
        'Sleep on it, read the conditions, and ask somebody who gains nothing from your answer.',
      ],
    ],
  },
  {
    words:
      /\b(business\w*|startups?|marketing|sales|sell\w*|brands?|customers?|freelanc\w*|entrepreneur\w*|clients?|leadership|leaders?|teams?|managers?|career|interviews?|e-?commerce)\b/i,
    manner: 'advises',
    points: [
      [
        'talk to the people you want to serve.',
        'The best ideas are hidden in the exact words that people use when they complain.',
        'Have five short conversations this week, and mostly listen.',
      ],
      [
        'solve one problem very well.',
        'When you try to please everybody, nobody remembers you.',
        'Finish this sentence: we help this person do that thing. If it takes two sentences, it is too much.',
      ],
      [
        'ship it before it feels ready.',
        'Real feedback arrives only after somebody can use what you made.',
        'Cut the plan in half, publish that half, and watch what people do with it.',
      ],
      [
        'make trust your strategy.',
        'People forgive a slow answer, but they do not forgive a broken promise.',
        'Promise a little less than you can do, and then deliver a little more.',
      ],
      [
        'keep what you have before you chase what is new.',
        'It is far easier to help someone who already believes in you than to win a stranger.',
        'Send one thoughtful message to somebody you have already worked with.',
      ],
    ],
  },
  {
    words:
      /\b(ai|artificial intelligence|tech\w*|software|cod(?:e|ing)|program\w*|apps?|robots?|internet|data|computers?|crypto|bitcoin|blockchain|machine learning|phones?|gadgets?|cyber\w*|online|cloud)\b/i,
    manner: 'advises',
    points: [
      [
        'start with the problem, not with the tool.',
        'A tool looks impressive in a demo, but it only matters when it removes something that bothers you.',
        'Write down one task you repeat every week, and ask what would make it disappear.',
      ],
      [
        'understand the idea, not only the buttons.',
        'Buttons move with every update, but the idea behind them stays for years.',
        'Try to explain it without a single technical word, and see where you get stuck.',
      ],
      [
        'check what it tells you.',
        'Machines can sound confident and still be wrong, and the mistakes are easy to miss.',
        'Treat the first answer as a draft, and verify whatever you would be embarrassed to get wrong.',
      ],
      [
        'think about what you give away.',
        'Convenient things are often paid for with attention or with information about you.',
        'Spend ten minutes in the settings, because the defaults were not chosen for you.',
      ],
      [
        'learn by building something tiny.',
        'You remember what you made with your own hands, even when it is ugly.',
        'Pick a project you can finish in one evening, and finish it.',
      ],
    ],
  },
  {
    words:
      /\b(space|planets?|oceans?|sea|animals?|cats?|dogs?|nature|forests?|climate|science|scientific|universe|stars?|sky|moon|sun|birds?|whales?|bees?|trees?|mountains?|volcano\w*|weather|galax\w*|physics|biology|dinosaurs?|earth|mars|rain\w*|brain)\b/i,
    manner: 'tells',
    points: [
      [
        'nature rarely does anything for just one reason.',
        'What looks like a single trick usually solves two or three problems at the same time.',
        'That is why the simple explanation is often true, and still not the whole story.',
      ],
      [
        'most of it happens where we cannot see it.',
        'The part that reaches our eyes is only the surface of something much larger and much slower.',
        'It took patience, and better instruments, before anybody could look underneath.',
      ],
      [
        'time works differently here.',
        'What we notice in a moment may have been shaped over millions of years of tiny changes.',
        'Once you think on that scale, ordinary things start to look extraordinary.',
      ],
      [
        'everything is connected to something else.',
        'Change one piece, and the effect shows up somewhere nobody expected it.',
        'That is what makes it so hard to predict, and so rewarding to watch.',
      ],
      [
        'there is still a lot to discover.',
        'Behind every answer that scientists have found, there is a new question waiting.',
        'So keep looking up, keep looking closely, and keep asking.',
      ],
    ],
  },
  {
    words:
      /\b(food|coffee|cook\w*|recipes?|kitchen|bread|bak(?:e|ing)|meals?|tea|pasta|pizza|chocolate|breakfast|dinner|vegan|vegetarian|wine|restaurants?|spic\w+)\b/i,
    manner: 'advises',
    points: [
      [
        'begin with fewer, better ingredients.',
        'Three good things on a plate taste better than ten that compete with each other.',
        'Choose the one flavor you want people to remember, and let the rest support it.',
      ],
      [
        'taste all the time.',
        'A recipe is a map, but your tongue is the one that knows where you are.',
        'Add a little salt, taste it, add a little acid, and taste it again.',
      ],
      [
        'give it the time it asks for.',
        'Heat and patience do things that no shortcut has ever managed to copy.',
        'Prepare it a day ahead when you can, because many things are better the next day.',
      ],
      [
        'learn one technique, not one dish.',
        'A dish feeds you tonight, while a technique feeds you for the rest of your life.',
        'Master a simple sauce, and you have suddenly learned twenty dinners.',
      ],
      [
        'share it with somebody.',
        'The best part of the table has never been on the plate.',
        'Invite one person, keep it simple, and enjoy the evening.',
      ],
    ],
  },
  {
    words:
      /\b(travel\w*|trips?|vacations?|holidays?|visit\w*|backpack\w*|islands?|beach\w*|city|cities|italy|japan|paris|london|rome|spain|europe|asia|africa|flights?|hotels?|hik(?:e|ing)|road trip|places)\b/i,
    manner: 'advises',
    points: [
      [
        'go when everyone else goes home.',
        'The same place in a quiet week costs less, and shows you more of itself.',
        'Look one month before the season, or one month after it.',
      ],
      [
        'plan the first day and the last one.',
        'Everything in between gets better when there is room for luck.',
        'Book where you sleep, leave the afternoons open, and follow what looks good.',
      ],
      [
        'walk until you are a little lost.',
        'The best corner of any place is the one that was not in the guide.',
        'Save an offline map, put it away, and turn left.',
      ],
      [
        'pack half of what you think you need.',
        'Nobody ever came home and wished their bag had been heavier.',
        'Lay everything out, remove a third, and then remove one more thing.',
      ],
      [
        'learn ten words before you arrive.',
        'A greeting and a thank you open more doors than any ticket.',
        'Practice them out loud, and do not worry about the accent.',
      ],
    ],
  },
  {
    words:
      /\b(histor\w+|wars?|empires?|ancient|kings?|queens?|romans?|centur\w+|medieval|egypt\w*|greece|greek|vikings?|revolution\w*|biograph\w+|inventors?|inventions?|myths?|legends?)\b/i,
    manner: 'tells',
    points: [
      [
        'nobody living through it knew how it would end.',
        'It looks inevitable to us, but to them every choice was open and every outcome uncertain.',
        'Read it forward instead of backward, and it becomes a different story.',
      ],
      [
        'ordinary people carried most of it.',
        'We remember the names at the top, while thousands of others did the work.',
        'Whenever you hear a great name, ask who stood next to it.',
      ],
      [
        'chance played a bigger part than we like to admit.',
        'A storm, a late letter or one bad harvest has changed more than many speeches.',
        'That should make us modest about how clever we look today.',
      ],
      [
        'the winners told the first version.',
        'What was written down depends on who could write, and who was allowed to keep it.',
        'So look for the second version, because there always is one.',
      ],
      [
        'its traces are still around you.',
        'Words, borders, recipes and holidays are the past, still walking about.',
        'Pick one of them, follow it back, and see where you arrive.',
      ],
    ],
  },
  {
    words:
      /\b(learn\w*|stud(?:y|ying|ies)|students?|languages?|books?|read\w*|writ(?:e|ing|ers?)|guitar|piano|music|draw\w*|paint\w*|creativ\w*|skills?|exams?|school|memory|photograph\w*|podcasts?|speak\w*)\b/i,
    manner: 'advises',
    points: [
      [
        'practice a little every day.',
        'Twenty minutes a day beats three hours on Sunday, because memory is built between the sessions.',
        'Fix a time, keep it short, and stop while you still want more.',
      ],
      [
        'test yourself instead of rereading.',
        'Reading again feels like knowing, but only remembering proves it.',
        'Close the page, say what you know out loud, and check what you missed.',
      ],
      [
        'begin with the parts you will actually use.',
        'A small part of any skill does most of the work.',
        'Find the pieces that come up again and again, and get comfortable with those first.',
      ],
      [
        'make something before you feel ready.',
        'The gap between what you can do and what you want to do is where learning happens.',
        'Finish something small and imperfect this week, and show it to one person.',
      ],
      [
        'teach it to somebody.',
        'You only notice the holes in your knowledge when you have to explain it.',
        'Pick a friend, use simple words, and welcome every question.',
      ],
    ],
  },
  {
    words:
      /\b(confiden\w*|anxi\w*|love|relationships?|friends?|friendship|happ(?:y|iness)|mindset|motivat\w*|success\w*|fear\w*|parent\w*|kids|lonel\w*|gratitude|mindful\w*|meditat\w*|self|courage|dreams?|life|shy)\b/i,
    manner: 'advises',
    points: [
      [
        'notice how you talk to yourself.',
        'Most of us would never speak to a friend the way we speak to ourselves.',
        'Catch one harsh sentence today, and say it again more kindly.',
      ],
      [
        'do it while you are still afraid.',
        'Confidence is not what you need in order to start, it is what you get afterwards.',
        'Choose a version so small that fear has almost nothing to hold on to.',
      ],
      [
        'listen a little longer than is comfortable.',
        'People rarely need our advice, but they always notice our attention.',
        'Ask one more question before you tell your own story.',
      ],
      [
        'compare yourself with last year, not with strangers.',
        'You see their highlights, and you compare them with your own behind the scenes.',
        'Write down one thing you can do now that you could not do then.',
      ],
      [
        'say the good things out loud.',
        'Gratitude that stays in your head does not help anyone, not even you.',
        'Tell one person today what you value about them, and be specific.',
      ],
    ],
  },
]
