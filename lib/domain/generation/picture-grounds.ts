/** Chooses the ground that fits an object and the words beside it. */
import type { PictureGround } from './picture-scene.ts'

/** Grounds that a word names, in English; the texts of other languages are matched by their objects alone. */
const groundWords: [RegExp, PictureGround][] = [
  [/\b(underwater|seabed|ocean floor|deep sea|reef|dive[srd]?|diving|submarine|sank|sunk|sink)\b/i, 'underwater'],
  [/\b(beach|shore|coast|island|sand castle)\b/i, 'beach'],
  [
    /\b(sea|ocean|ocean's|sailors?|ship|ships|(?<!\b(?:short|shorter|long|longer|radio|light|sound|shock|brain|heat) )waves?|tides?|iceberg|atlantic|pacific|harbou?r|titanic)\b/i,
    'sea',
  ],
  [
    /\b(orbit|space|galax(y|ies)|universe|planets?|astronauts?|solar system|black holes?|asteroids?|comets?)\b/i,
    'space',
  ],
  [/\b(bed|bedroom|asleep|sleep|sleeping|pillow|mattress|nap|insomnia)\b/i, 'bedroom'],
  [/\b(kitchen|cook|cooking|boil|bake|baking|oven|fridge|recipe|pan|stove|meal|breakfast|lunch|dinner)\b/i, 'kitchen'],
  [
    /\b(desk|office|email|inbox|homework|study|studying|meeting|laptop|to-do|notebook|write down|spreadsheet)\b/i,
    'desk',
  ],
  [
    /\b(laborator(y|ies)|experiment|researchers?|scientists?|chemical|chemistry|molecules?|microscope|vaccine|study found)\b/i,
    'laboratory',
  ],
  [/\b(snow|ice|glacier|arctic|antarctic(a)?|winter|polar|frozen)\b/i, 'snow'],
  [/\b(desert|sahara|dunes?|pyramids?|egypt|drought|cactus)\b/i, 'desert'],
  [/\b(forest|woods|jungle|rainforest|trees?)\b/i, 'forest'],
  [/\b(mountains?|summit|everest|alps|volcano(es)?|hills?|rivers?)\b/i, 'mountains'],
  [/\b(field|farm|farmers?|garden|grass|meadow|savanna|harvest|soil|crops?)\b/i, 'field'],
  [
    /\b(rome|roman|romans|greek|greece|ancient|empire|pharaoh|temple|colosseum|medieval|centur(y|ies) ago)\b/i,
    'ancient',
  ],
  [/\b(factory|machine|industrial|engine|steel|miners)\b/i, 'factory'],
  [/\b(street|road|traffic|shop|shops|store|market|car|cars|driver)\b/i, 'street'],
  [/\b(city|cities|skyline|skyscrapers?|new york|london|tokyo|paris|building)\b/i, 'city'],
  [/\b(blood|bloodstream|blood cells?|arter(y|ies)|veins?|immune)\b/i, 'body'],
  [/\b(concert|theatre|theater|audience|singer|orchestra|award|olympic\w*|champion)\b/i, 'stage'],
  [/\b(night|midnight|moonlight|dark|darkness)\b/i, 'night'],
  [/\b(sky|clouds?|wind|flight|flying|airplanes?|planes?|weather|rain|storm)\b/i, 'sky'],
  [/\b(home|house|room|sofa|couch|living room|family|cat|cats)\b/i, 'room'],
]

/** Square drawings with a landscape of their own: shown as photographs. */
export const sceneryObjects: ReadonlySet<string> = new Set(
  `national-park desert milky-way night-with-stars bridge-at-night cityscape cityscape-at-dusk motorway railway-track sunrise
  sunrise-over-mountains sunset foggy fog fireworks shooting-star cinema`.split(/\s+/),
)

/** Where objects are at home, the likeliest ground first: they are seen nowhere else. */
const homes: [grounds: PictureGround[], objects: string][] = [
  [
    ['underwater', 'sea'],
    'fish tropical-fish blowfish shark octopus coral jellyfish squid dolphin whale spouting-whale seal spiral-shell oyster shrimp lobster crab diving-mask',
  ],
  [
    ['sea', 'beach'],
    'passenger-ship ship sailboat anchor ring-buoy water-wave speedboat ferry motor-boat canoe person-surfing person-rowing-boat person-swimming fishing-pole',
  ],
  [['beach', 'sea'], 'beach-with-umbrella desert-island palm-tree turtle thong-sandal'],
  [['space'], 'rocket astronaut satellite ringed-planet comet alien flying-saucer'],
  [['space'], 'crescent-moon full-moon first-quarter-moon new-moon waxing-crescent-moon'],
  [['night', 'forest'], 'owl bat ghost person-vampire telescope'],
  [['bedroom'], 'bed person-in-bed sleeping-face zzz yawning-face'],
  [['kitchen'], 'cooking shallow-pan-of-food pot-of-food kitchen-knife cook teapot'],
  [['laboratory'], 'test-tube alembic petri-dish microscope scientist woman-scientist man-scientist lab-coat'],
  [['body'], 'drop-of-blood'],
  [['snow', 'mountains'], 'penguin polar-bear snowman skier snowboarder skis mammoth sled ice-skate cloud-with-snow'],
  [
    ['mountains', 'snow'],
    'mountain snow-capped-mountain volcano mount-fuji person-climbing goat eagle mountain-cableway mountain-railway llama rock',
  ],
  [['desert'], 'camel two-hump-camel cactus scorpion'],
  [
    ['forest', 'field'],
    'deciduous-tree evergreen-tree wolf bear fox deer beaver chipmunk raccoon moose badger boar spider spider-web frog snail gorilla orangutan monkey tiger leopard parrot sloth panda koala fallen-leaf maple-leaf leaf-fluttering-in-wind axe wood hedgehog bug ant beetle worm sauropod t-rex lizard snake mushroom camping tent',
  ],
  [
    ['field', 'forest'],
    'cow ox horse ewe ram pig chicken rooster hatching-chick baby-chick front-facing-baby-chick rabbit mouse sheaf-of-rice sunflower tulip rose blossom seedling herb honeybee butterfly farmer tractor kangaroo elephant lion giraffe zebra rhinoceros bison water-buffalo donkey cricket cherry-blossom bird blackbird peacock turkey goose duck swan nest-with-eggs lady-beetle ear-of-corn person-running woman-running person-walking person-biking kite soccer-ball paw-prints',
  ],
  [['beach', 'underwater'], 'flamingo crocodile hippopotamus'],
  [['ancient'], 'classical-building amphora stadium moai hindu-temple'],
  [['factory'], 'factory factory-worker locomotive oil-drum mechanical-arm'],
  [
    ['street', 'city'],
    'automobile sport-utility-vehicle bus taxi bicycle police-car fire-engine ambulance stop-sign horizontal-traffic-light motorcycle fuel-pump articulated-lorry delivery-truck store department-store school bank hotel hospital church mosque synagogue convenience-store post-office station placard bus-stop',
  ],
  [
    ['city', 'street'],
    'office-building tokyo-tower statue-of-liberty building-construction construction-worker houses high-speed-train bullet-train metro',
  ],
  [['room', 'bedroom'], 'cat black-cat dog couch-and-lamp chair television window bathtub toilet christmas-tree'],
  [
    ['stage'],
    'microphone studio-microphone violin musical-keyboard performing-arts trumpet drum saxophone woman-dancing man-dancing',
  ],
  [
    ['sky'],
    'airplane airplane-departure helicopter cloud cloud-with-rain cloud-with-lightning cloud-with-lightning-and-rain sun-behind-cloud tornado cyclone wind-face dove parachute small-airplane',
  ],
  [['snow', 'sky'], 'snowflake ice'],
  // Outdoors they would be seen twice.
  [['studio'], `sun sun-with-face rainbow framed-picture ${[...sceneryObjects].join(' ')}`],
]

/** Seen outdoors where the words of a shot name a landscape. */
const outdoors: ReadonlySet<string> = new Set(
  `person-standing luggage backpack pick axe skull headstone coffin umbrella umbrella-with-rain-drops compass hiking-boot flashlight footprints camera binoculars high-voltage fire warning crown castle crossed-swords shield military-helmet old-key money-bag bomb collision hot-face cold-face thermometer`.split(
    ' ',
  ),
)
const landscapes: ReadonlySet<PictureGround> = new Set([
  ...(['sea', 'beach', 'field', 'forest', 'mountains', 'desert', 'snow', 'city', 'street', 'night'] as const),
])

/** Where objects are seen if the words or the title name it. */
const visits: [grounds: PictureGround[], objects: string][] = [
  [
    ['kitchen'],
    'egg bread baguette-bread butter cheese-wedge spoon fork-and-knife fork-and-knife-with-plate honey-pot glass-of-milk red-apple green-apple carrot broccoli potato tomato onion garlic green-salad cut-of-meat meat-on-bone poultry-leg chocolate-bar candy cookie birthday-cake pie pancakes waffle pizza spaghetti steaming-bowl cooked-rice rice-ball jar tumbler-glass banana lemon leafy-green bowl-with-spoon olive salt hot-beverage thermometer fire',
  ],
  [
    ['desk'],
    'laptop desktop-computer keyboard memo pencil pen notebook open-book closed-book books calendar tear-off-calendar spiral-calendar clipboard envelope e-mail file-folder page-facing-up office-worker abacus bar-chart mobile-phone printer telephone newspaper briefcase technologist hot-beverage',
  ],
  [
    ['laboratory'],
    'dna microbe syringe pill stethoscope health-worker atom-symbol magnet x-ray biohazard battery egg rat mouse',
  ],
  [['body'], 'anatomical-heart lungs microbe bone'],
  [
    ['bedroom'],
    'alarm-clock candle teddy-bear thermometer hot-beverage person-in-lotus-position thought-balloon mobile-phone',
  ],
  [
    ['ancient'],
    'shield crossed-swords scroll crown person-with-crown military-helmet bow-and-arrow dagger coffin castle coin',
  ],
  [['factory'], 'gear hammer wrench nut-and-bolt screwdriver toolbox pick mechanic fire'],
  [
    ['space', 'night'],
    'globe-showing-europe-africa globe-showing-americas globe-showing-asia-australia glowing-star star satellite-antenna light-bulb watch mantelpiece-clock',
  ],
  [
    ['street', 'city'],
    'busts-in-silhouette police-officer detective shopping-cart shopping-bags credit-card coin money-bag dollar-banknote brick guard luggage',
  ],
  [['room'], 'old-man old-woman baby wrapped-gift mirror yarn cat-face dog-face'],
  [['stage'], 'trophy sports-medal 1st-place-medal singer guitar musical-notes musical-note'],
  [['field', 'forest'], 'egg droplet green-apple red-apple grapes strawberry potato carrot basket'],
]

const groundsByObject = (list: typeof homes): ReadonlyMap<string, PictureGround[]> => {
  const grounds = new Map<string, PictureGround[]>()
  for (const [some, objects] of list)
    for (const object of objects.split(' ')) grounds.set(object, [...(grounds.get(object) ?? []), ...some])
  return grounds
}
const homesByObject = groundsByObject(homes)
const visitsByObject = groundsByObject(visits)

/** The grounds that a text names, in the order of the list. */
export const groundsNamedBy = (text: string): PictureGround[] =>
  groundWords.flatMap(([words, ground]) => (words.test(text) ? [ground] : []))

/** Where an object is at home; empty for one that may be anywhere. */
export const homeOf = (object: string | undefined): readonly PictureGround[] =>
  (object && homesByObject.get(object)) || []

/**
 * The ground of a picture: where its object is at home; else one that the words or the title name and that suits the
 * object; else a neutral one. Prefers another ground than that of the picture before.
 */
export function chooseGround(
  text: string,
  object: string | undefined,
  topic: readonly PictureGround[],
  before: PictureGround | undefined,
): PictureGround {
  const named = groundsNamedBy(text)
  const home = homeOf(object)
  if (home.length > 0) {
    const fitting = [...named.filter((ground) => home.includes(ground)), ...home]
    return fitting.find((ground) => ground !== before) ?? fitting[0]!
  }
  const visited = (object && visitsByObject.get(object)) || []
  const fitting = [
    ...[...named, ...topic].filter((ground) => visited.includes(ground)),
    ...(object && outdoors.has(object) ? named.filter((ground) => landscapes.has(ground)) : []),
  ]
  return fitting.find((ground) => ground !== before) ?? 'studio'
}
