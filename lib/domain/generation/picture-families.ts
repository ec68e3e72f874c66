/** Which drawings are alike, and which say little: both are drawn where nothing else is left. */

/** Drawings that a viewer takes for the same thing: as main picture a film shows one of a family. */
const families =
  `eye eyes; ear ear-with-hearing-aid; cow cow-face; cat cat-face black-cat; dog dog-face guide-dog service-dog; horse horse-face
  horse-racing; pig pig-face; mouse mouse-face; rabbit rabbit-face; tiger tiger-face; monkey monkey-face; dragon dragon-face; bear teddy-bear;
  whale spouting-whale; camel two-hump-camel; ewe ram; chicken rooster; baby-chick front-facing-baby-chick hatching-chick;
  globe-showing-europe-africa globe-showing-americas globe-showing-asia-australia; straight-ruler triangular-ruler;
  check-mark check-mark-button; cross-mark cross-mark-button prohibited no-entry; boy child girl student; man man-beard person;
  woman person-with-veil; old-man older-person; scientist man-scientist woman-scientist;
  health-worker man-health-worker woman-health-worker; office-worker man-office-worker woman-office-worker;
  busts-in-silhouette bust-in-silhouette; watch mantelpiece-clock alarm-clock; stopwatch timer-clock;
  anatomical-heart red-heart two-hearts blue-heart heart-suit growing-heart; calendar tear-off-calendar spiral-calendar;
  open-book closed-book blue-book green-book orange-book notebook notebook-with-decorative-cover;
  mobile-phone mobile-phone-off mobile-phone-with-arrow no-mobile-phones; telephone telephone-receiver; envelope e-mail
  envelope-with-arrow love-letter; sun sun-with-face; hot-beverage teacup-without-handle; mountain mount-fuji
  snow-capped-mountain; full-moon new-moon; crescent-moon waxing-crescent-moon; thinking-face nerd-face; fearful-face worried-face
  face-screaming-in-fear; sleeping-face yawning-face; person-in-bed bed; speaking-head speech-balloon; airplane airplane-departure
  airplane-arrival small-airplane; automobile sport-utility-vehicle taxi; high-speed-train bullet-train train; musical-note musical-notes;
  office-building cityscape; house house-with-garden houses; speaker-high-volume muted-speaker loudspeaker; microphone
  studio-microphone; person-swimming ring-buoy; person-walking footprints; woman-running person-running running-shoe; microbe petri-dish;
  locked locked-with-key unlocked; key old-key; cloud fog; red-apple green-apple; fish tropical-fish; glowing-star star
  sparkles; clockwise-vertical-arrows counterclockwise-arrows-button repeat-button; money-bag money-with-wings; medical-symbol hospital;
  sailboat ship passenger-ship; cooking shallow-pan-of-food; pot-of-food steaming-bowl; warning stop-sign; paw-prints; 1st-place-medal
  2nd-place-medal 3rd-place-medal sports-medal trophy; hole black-circle; gear wrench; hammer hammer-and-wrench hammer-and-pick;
  shopping-cart shopping-bags; cloud-with-lightning cloud-with-lightning-and-rain; deciduous-tree evergreen-tree; memo pencil;
  fork-and-knife fork-and-knife-with-plate; seedling herb; bird blackbird; sheaf-of-rice ear-of-corn; umbrella
  umbrella-with-rain-drops closed-umbrella; right-arrow left-arrow up-arrow down-arrow`
    .split(';')
    .map((family) => family.trim().split(/\s+/))

const familyByObject = new Map(families.flatMap((family) => family.map((object) => [object, family[0]!])))

export const familyOf = (object: string): string => familyByObject.get(object) ?? object

/** Signs and instruments that stand for a number, a time or a change: seldom a picture, never a decoration. */
const fillers: ReadonlySet<string> = new Set(
  `straight-ruler triangular-ruler abacus input-numbers right-arrow left-arrow up-arrow down-arrow up-right-arrow left-right-arrow
  repeat-button play-button pause-button stop-button fast-forward-button shuffle-tracks-button counterclockwise-arrows-button
  clockwise-vertical-arrows check-mark check-mark-button cross-mark cross-mark-button plus minus multiply divide heavy-equals-sign
  hundred-points electric-plug link puzzle-piece red-question-mark red-exclamation-mark information key balance-scale
  globe-showing-europe-africa globe-showing-americas globe-showing-asia-australia red-circle blue-circle green-circle yellow-circle orange-circle purple-circle brown-circle black-circle white-circle red-square
  person man woman busts-in-silhouette tear-off-calendar calendar spiral-calendar warning stop-sign prohibited level-slider
  control-knobs label bookmark pushpin thumbs-up star sparkles`.split(/\s+/),
)

export const isFiller = (object: string): boolean => fillers.has(object)

const animals: ReadonlySet<string> = new Set(
  `cat cat-face black-cat dog dog-face poodle cow cow-face ox water-buffalo horse horse-face pig boar ewe ram goat chicken rooster baby-chick
  hatching-chick duck goose swan turkey peacock bird blackbird dove eagle owl parrot penguin flamingo bat wolf bear polar-bear fox deer moose
  beaver squirrel chipmunk raccoon badger skunk sloth otter hedgehog rabbit mouse rat hamster lion tiger leopard elephant mammoth giraffe
  zebra rhinoceros hippopotamus bison camel two-hump-camel llama kangaroo koala panda gorilla orangutan monkey donkey frog turtle crocodile
  lizard snake snail bug ant honeybee butterfly beetle lady-beetle cricket cockroach spider spider-web scorpion mosquito fly worm fish
  tropical-fish blowfish shark dolphin whale spouting-whale seal octopus squid jellyfish crab lobster shrimp oyster coral t-rex sauropod dodo`.split(
    /\s+/,
  ),
)
const people: ReadonlySet<string> = new Set(
  'baby child boy girl man man-beard woman person old-man old-woman older-person breast-feeding pregnant-woman student office-worker person-standing person-swimming'.split(
    ' ',
  ),
)

export const isAnimal = (object: string): boolean => animals.has(object)
/** The baby, the mother and the body of an animal are no people. */
export const isPerson = (object: string): boolean => people.has(object)
