/** Which emoji are objects of a picture: things that can be shown, and symbols that carry a meaning without words. */

/** Groups of Unicode whose members are things: animals and plants, food, places, activities, objects. */
export const thingGroups: ReadonlySet<number> = new Set([3, 4, 5, 6, 7])

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/))

export const chosenFaces: ReadonlySet<string> = words(`
  slightly-smiling-face grinning-face face-with-tears-of-joy smiling-face-with-heart-eyes star-struck thinking-face
  neutral-face sleeping-face face-with-medical-mask face-with-thermometer nauseated-face sneezing-face hot-face cold-face
  exploding-head partying-face nerd-face confused-face worried-face astonished-face fearful-face crying-face yawning-face
  angry-face shushing-face face-savoring-food relieved-face disguised-face face-screaming-in-fear skull
  skull-and-crossbones pile-of-poo ghost alien robot see-no-evil-monkey hear-no-evil-monkey love-letter red-heart
  broken-heart heart-on-fire mending-heart hundred-points anger-symbol collision dizzy sweat-droplets dashing-away hole
  speech-balloon thought-balloon zzz clown-face ogre heart-with-arrow growing-heart two-hearts blue-heart`)

export const chosenPeople: ReadonlySet<string> = words(`
  waving-hand raised-hand ok-hand pinching-hand victory-hand crossed-fingers backhand-index-pointing-left
  backhand-index-pointing-up backhand-index-pointing-down index-pointing-up thumbs-up
  thumbs-down raised-fist oncoming-fist clapping-hands raising-hands heart-hands open-hands palms-up-together handshake
  folded-hands writing-hand nail-polish selfie flexed-biceps mechanical-arm mechanical-leg leg foot ear
  ear-with-hearing-aid nose brain anatomical-heart lungs tooth bone eyes eye tongue mouth baby child boy girl person man
  man-beard woman old-man old-woman older-person person-shrugging person-facepalming person-raising-hand person-bowing
  person-gesturing-no person-gesturing-ok health-worker man-health-worker woman-health-worker student teacher judge farmer cook
  mechanic factory-worker office-worker man-office-worker woman-office-worker scientist woman-scientist man-scientist
  technologist singer artist pilot astronaut firefighter police-officer detective guard ninja construction-worker
  person-with-crown prince princess person-in-tuxedo person-with-veil pregnant-woman breast-feeding baby-angel santa-claus
  person-superhero person-mage person-fairy person-vampire person-merpeople person-elf person-genie person-zombie troll
  person-getting-massage person-getting-haircut person-walking person-standing person-kneeling person-running
  woman-running person-with-white-cane person-in-manual-wheelchair woman-dancing man-dancing person-in-steamy-room
  person-climbing person-fencing horse-racing skier snowboarder person-golfing person-surfing person-rowing-boat
  person-swimming person-bouncing-ball person-lifting-weights person-biking person-mountain-biking person-cartwheeling
  person-wrestling person-playing-handball person-juggling person-in-lotus-position person-taking-bath person-in-bed
  speaking-head bust-in-silhouette busts-in-silhouette people-hugging footprints
  person-wearing-turban person-tipping-hand`)

export const chosenSymbols: ReadonlySet<string> = words(`
  warning no-entry prohibited radioactive biohazard up-arrow up-right-arrow right-arrow down-right-arrow down-arrow
  left-arrow up-down-arrow left-right-arrow clockwise-vertical-arrows counterclockwise-arrows-button atom-symbol yin-yang
  latin-cross star-and-crescent star-of-david wheel-of-dharma om peace-symbol repeat-button shuffle-tracks-button play-button
  pause-button stop-button fast-forward-button antenna-bars wireless female-sign male-sign multiply plus minus divide
  heavy-equals-sign infinity red-question-mark red-exclamation-mark currency-exchange heavy-dollar-sign medical-symbol
  recycling-symbol trident-emblem name-badge check-mark check-mark-button cross-mark cross-mark-button no-smoking
  no-mobile-phones potable-water non-potable-water restroom red-circle orange-circle yellow-circle green-circle blue-circle
  purple-circle brown-circle black-circle white-circle red-square blue-square red-triangle-pointed-down
  information copyright trade-mark sparkle curly-loop input-latin-letters input-numbers cinema mobile-phone-off`)

/** Things that are another drawing of one that is chosen, or that only readers of one script or custom know. */
const leftOut = words(`
  japanese-post-office love-hotel map-of-japan tanabata-tree pine-decoration japanese-dolls carp-streamer
  moon-viewing-ceremony fish-cake-with-swirl oden dango naruto joker mahjong-red-dragon flower-playing-cards
  new-moon-face first-quarter-moon-face last-quarter-moon-face full-moon-face oncoming-bus oncoming-police-car
  oncoming-taxi oncoming-automobile tram-car suspension-railway chart-increasing-with-yen
  closed-mailbox-with-lowered-flag open-mailbox-with-raised-flag open-mailbox-with-lowered-flag incoming-envelope
  magnifying-glass-tilted-right hourglass-not-done sun-behind-small-cloud sun-behind-large-cloud umbrella-on-ground
  snowman-without-snow speaker-low-volume speaker-medium-volume waxing-gibbous-moon waning-gibbous-moon
  waning-crescent-moon last-quarter-moon nesting-dolls long-drum hair-pick trackball pager fax-machine
  one-piece-swimsuit clutch-bag womans-sandal safety-vest piata knot woman-curly-hair rolled-up-newspaper
  bookmark-tabs card-index input-symbols twelve-oclock brown-mushroom pig-nose`)

const isHour = (id: string) => /-(oclock|thirty)$/.test(id)

export const isLeftOut = (id: string): boolean => leftOut.has(id) || isHour(id)
