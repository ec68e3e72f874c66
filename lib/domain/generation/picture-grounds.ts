/** Chooses the ground that fits an object and the words beside it. */
import type { PictureGround } from './picture-scene.ts'

/** Grounds that a word names, in English; the texts of other languages are matched by their objects alone. */
const groundWords: [RegExp, PictureGround][] = [
  [/\b(underwater|seabed|ocean floor|deep sea|reef|dive[srd]?|diving|submarine|sank|sunk|sink)\b/i, 'underwater'],
  [/\b(beach|shore|coast|island|sand castle)\b/i, 'beach'],
  [/\b(sea|ocean|ocean's|sailors?|ship|ships|waves?|tides?|iceberg|atlantic|pacific|harbou?r|titanic)\b/i, 'sea'],
  [
    /\b(orbit|space|galax(y|ies)|universe|planets?|stars?|astronauts?|solar system|black holes?|asteroids?|comets?)\b/i,
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
  [/\b(mountains?|summit|peak|everest|alps|volcano(es)?|hills?|rocks?|rivers?)\b/i, 'mountains'],
  [/\b(field|farm|farmers?|garden|grass|meadow|savanna|harvest|soil|crops?)\b/i, 'field'],
  [
    /\b(rome|roman|romans|greek|greece|ancient|empire|pharaoh|temple|colosseum|medieval|centur(y|ies) ago)\b/i,
    'ancient',
  ],
  [/\b(factory|machine|industrial|engine|steel|mine|miners)\b/i, 'factory'],
  [/\b(street|road|traffic|shop|shops|store|market|car|cars|driver|bank|pay|paid)\b/i, 'street'],
  [/\b(city|cities|skyline|skyscrapers?|new york|london|tokyo|paris|building)\b/i, 'city'],
  [
    /\b(blood|heart|lungs?|stomach|cells?|nerves?|muscles?|brain|bones?|skin|body|immune|digest\w*|organs?|veins?)\b/i,
    'body',
  ],
  [/\b(concert|stage|theatre|theater|audience|singer|orchestra|award|olympic\w*|champion)\b/i, 'stage'],
  [/\b(night|midnight|moonlight|dark|darkness)\b/i, 'night'],
  [/\b(sky|clouds?|wind|flight|flying|airplanes?|planes?|air|weather|rain|storm)\b/i, 'sky'],
  [/\b(home|house|room|sofa|couch|living room|family|cat|cats)\b/i, 'room'],
]

/** Where objects are at home, the likeliest ground first. */
const homes: [grounds: PictureGround[], objects: string][] = [
  [
    ['underwater', 'sea'],
    'fish tropical-fish blowfish shark octopus coral jellyfish squid dolphin whale spouting-whale seal spiral-shell oyster shrimp lobster crab diving-mask trident-emblem',
  ],
  [
    ['sea', 'beach'],
    'passenger-ship ship sailboat anchor ring-buoy water-wave speedboat ferry motor-boat canoe person-surfing person-rowing-boat person-swimming fishing-pole',
  ],
  [['sea', 'kitchen', 'beach'], 'salt'],
  [
    ['beach', 'sea'],
    'beach-with-umbrella desert-island palm-tree turtle coconut thong-sandal tropical-drink person-swimming',
  ],
  [
    ['space'],
    'rocket astronaut satellite ringed-planet comet shooting-star milky-way telescope alien flying-saucer satellite-antenna globe-showing-europe-africa globe-showing-americas globe-showing-asia-australia',
  ],
  [
    ['night', 'space'],
    'crescent-moon full-moon first-quarter-moon new-moon night-with-stars owl bat ghost glowing-star star fireworks person-vampire',
  ],
  [
    ['bedroom', 'room'],
    'bed person-in-bed sleeping-face zzz yawning-face alarm-clock teddy-bear thought-balloon candle bathtub',
  ],
  [
    ['kitchen'],
    'cooking shallow-pan-of-food pot-of-food egg bread butter cheese-wedge kitchen-knife spoon fork-and-knife fork-and-knife-with-plate cook honey-pot glass-of-milk red-apple green-apple carrot broccoli potato tomato onion garlic green-salad cut-of-meat meat-on-bone poultry-leg chocolate-bar candy cookie birthday-cake shortcake pie pancakes waffle pizza hamburger spaghetti steaming-bowl rice-ball sushi jar tumbler-glass cup-with-straw banana lemon tangerine grapes strawberry watermelon pineapple mango peach pear cherries avocado eggplant hot-pepper leafy-green canned-food bowl-with-spoon popcorn ice-cream soft-ice-cream doughnut teapot olive peanuts chestnut mushroom ear-of-corn wine-glass beer-mug pouring-liquid',
  ],
  [['kitchen', 'desk', 'room'], 'hot-beverage teacup-without-handle'],
  [
    ['desk', 'room'],
    'laptop desktop-computer keyboard memo pencil pen notebook open-book closed-book books calendar tear-off-calendar spiral-calendar clipboard envelope e-mail file-folder page-facing-up light-bulb office-worker abacus bar-chart chart-increasing chart-decreasing straight-ruler triangular-ruler mobile-phone printer headphone telephone puzzle-piece newspaper briefcase card-file-box file-cabinet technologist globe-with-meridians paperclip bullseye bookmark input-latin-letters',
  ],
  [
    ['laboratory'],
    'test-tube alembic petri-dish microscope dna microbe scientist woman-scientist man-scientist syringe pill stethoscope health-worker hospital atom-symbol magnet robot x-ray biohazard radioactive lab-coat battery',
  ],
  [['body'], 'brain anatomical-heart lungs drop-of-blood bone tooth eye ear nose tongue'],
  [
    ['snow', 'mountains'],
    'penguin polar-bear snowflake snowman skier snowboarder skis ice cold-face mammoth sled ice-skate cloud-with-snow',
  ],
  [
    ['mountains', 'snow'],
    'mountain snow-capped-mountain volcano mount-fuji person-climbing goat eagle hiking-boot national-park mountain-cableway llama tent camping rock',
  ],
  [['desert'], 'camel two-hump-camel desert cactus scorpion snake lizard'],
  [
    ['forest', 'field'],
    'deciduous-tree evergreen-tree wolf bear fox deer owl beaver squirrel chipmunk mushroom raccoon moose badger boar spider spider-web frog snail gorilla orangutan monkey tiger leopard jaguar parrot sloth panda koala fallen-leaf maple-leaf leaf-fluttering-in-wind axe wood hedgehog bug ant beetle worm sauropod t-rex lizard snake',
  ],
  [
    ['field', 'forest'],
    'cow ox horse horse-face ewe ram goat pig chicken rooster hatching-chick baby-chick rabbit mouse sheaf-of-rice sunflower tulip rose blossom seedling herb honeybee butterfly farmer tractor dog kangaroo elephant lion giraffe zebra rhinoceros bison cricket cherry-blossom potted-plant bird peacock turkey nest-with-eggs lady-beetle windmill ear-of-corn person-running person-walking person-biking kite soccer-ball paw-prints sun rainbow',
  ],
  [
    ['ancient'],
    'classical-building amphora scroll crossed-swords stadium castle moai bow-and-arrow shield coffin person-with-crown crown dagger hindu-temple sphinx',
  ],
  [
    ['factory'],
    'factory gear hammer wrench hammer-and-wrench factory-worker mechanic locomotive oil-drum nut-and-bolt screwdriver construction-worker toolbox pick',
  ],
  [
    ['street', 'city'],
    'automobile bus taxi bicycle police-car police-officer fire-engine ambulance shopping-cart shopping-bags bank credit-card stop-sign horizontal-traffic-light detective money-bag coin dollar-banknote motorcycle fuel-pump articulated-lorry delivery-truck store department-store school motorway placard door dog',
  ],
  [
    ['city', 'street'],
    'office-building cityscape tokyo-tower statue-of-liberty bridge-at-night building-construction houses busts-in-silhouette church mosque synagogue high-speed-train metro helicopter hotel bullet-train',
  ],
  [
    ['room', 'bedroom'],
    'cat cat-face couch-and-lamp chair television window mirror old-man old-woman baby child wrapped-gift sponge people-hugging toilet soap yarn framed-picture puzzle-piece christmas-tree party-popper game-die video-game',
  ],
  [
    ['stage'],
    'trophy sports-medal 1st-place-medal microphone studio-microphone violin guitar musical-keyboard singer performing-arts musical-notes musical-note trumpet drum saxophone woman-dancing man-dancing clapping-hands person-lifting-weights flexed-biceps boxing-glove artist-palette clapper-board glowing-star star-struck mirror-ball',
  ],
  [
    ['sky'],
    'airplane helicopter cloud cloud-with-rain cloud-with-lightning cloud-with-lightning-and-rain tornado cyclone wind-face bird eagle dove balloon parachute kite rainbow sun sun-behind-cloud feather wing droplet high-voltage umbrella umbrella-with-rain-drops blackbird fog',
  ],
]

const groundsOfObject = new Map<string, PictureGround[]>()
for (const [grounds, objects] of homes)
  for (const object of objects.split(' ')) if (!groundsOfObject.has(object)) groundsOfObject.set(object, grounds)

/** The grounds that a text names, in the order of the list. */
export const groundsNamedBy = (text: string): PictureGround[] =>
  groundWords.flatMap(([words, ground]) => (words.test(text) ? [ground] : []))

/** Where an object is at home; empty for one that may be anywhere. */
export const homeOf = (object: string | undefined): readonly PictureGround[] =>
  (object && groundsOfObject.get(object)) || []

/**
 * The ground of a picture: one that the words name and that suits the object, else where the object is at home, else
 * that of the topic. Prefers another ground than that of the picture before.
 */
export function chooseGround(
  text: string,
  object: string | undefined,
  topic: readonly PictureGround[],
  before: PictureGround | undefined,
): PictureGround {
  const named = groundsNamedBy(text)
  const known = homeOf(object)
  // Food outside a film about cooking: a penguin's egg does not lie in a kitchen.
  const isAway = known[0] === 'kitchen' && !named.includes('kitchen') && !topic.slice(0, 2).includes('kitchen')
  const home = isAway ? [] : known
  const suits = (ground: PictureGround) => ground !== 'underwater' && ground !== 'space'
  const fitting = [
    ...named.filter((ground) => home.includes(ground)),
    // A thing with a home of its own leaves it only for a ground of the same kind.
    ...(home.length === 0 ? [...named, ...topic].filter(suits) : []),
    ...home,
    ...(isAway ? known : []),
  ]
  return fitting.find((ground) => ground !== before) ?? fitting[0] ?? 'abstract'
}
