/** Search over the headings and words of all pages. The index is loaded with the first use. Without scripts the field is absent. */
const box = document.querySelector('search')
const input = box.querySelector('input')
const results = box.querySelector('.results')
const root = document.documentElement.dataset.root
const resultsMax = 12
let loading

box.hidden = false
input.addEventListener('focus', load)
input.addEventListener('input', show)
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    input.focus()
  }
})
box.addEventListener('keydown', (event) => {
  const places = [input, ...results.querySelectorAll('a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step) {
    event.preventDefault()
    places[places.indexOf(document.activeElement) + step]?.focus()
  } else if (event.key === 'Enter' && document.activeElement === input) {
    places[1]?.click()
  } else if (event.key === 'Escape') {
    input.value = ''
    input.focus()
    show()
  }
})
document.addEventListener('click', ({ target }) => {
  if (!box.contains(target)) results.hidden = true
})

function load() {
  loading ??= new Promise((resolve) => {
    const script = Object.assign(document.createElement('script'), { src: `${root}search-index.js`, onload: resolve })
    document.head.append(script)
  })
  return loading
}

async function show() {
  await load()
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  results.hidden = words.length === 0
  if (words.length === 0) return results.replaceChildren()
  const found = self.searchIndex
    .map(([path, id, page, title, text]) => ({ path, id, page, title, text, score: scoreOf(words, page, title, text) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, resultsMax)
  results.replaceChildren(...(found.length > 0 ? found.map((one) => resultOf(one, words)) : ['Nothing found.']))
}

/** Every word must be found; in a title it counts more than in the text, and at the beginning of a word more than inside. */
function scoreOf(words, page, title, text) {
  let score = 0
  for (const word of words) {
    const places = [title, page, text].map((place) => place.toLowerCase())
    const weights = [8, 4, 1]
    const own = Math.max(
      ...places.map((place, index) => {
        const at = place.indexOf(word)
        if (at < 0) return 0
        return weights[index] * (at === 0 || /[^a-z0-9]/.test(place[at - 1]) ? 2 : 1)
      }),
    )
    if (own === 0) return 0
    score += own
  }
  return score
}

function resultOf({ path, id, page, title, text }, words) {
  const link = Object.assign(document.createElement('a'), { href: root + path + (id && `#${id}`) })
  const at = text.lastIndexOf(' ', Math.max(0, text.toLowerCase().indexOf(words[0]) - 40)) + 1
  const name = Object.assign(document.createElement('b'), { textContent: title === page ? page : `${page} · ${title}` })
  const excerpt = Object.assign(document.createElement('span'), {
    textContent: `${at > 0 ? '… ' : ''}${text.slice(at, at + 140)}`,
  })
  link.append(name, excerpt)
  return link
}
