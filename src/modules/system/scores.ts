import { stem, wordsIn } from '../../core/nearest.ts'

/** How well operations fit an intent in words. Weighted matches of words, the same for the same words: no learning, no chance. */

export interface Described {
  name: string
  module: string
  about: string
  arguments: readonly string[]
}

/** Words that say nothing about what is wanted. */
const idle = new Set('a am an and any are as at be by can do does for from get give have how i in into is it its last me my next now of on or our please so some that the their them then this to tomorrow up want we week what which who with yesterday you your'.split(' '))

/** What people say, and what operations are called. */
const synonyms: Readonly<Record<string, readonly string[] | undefined>> = {
  __proto__: null as never, // no prototype: `constructor` is a word like others
  absence: ['time', 'off'],
  am: ['me'],
  assign: ['assign', 'assignee'],
  book: ['create'],
  bug: ['task', 'incident'],
  change: ['update'],
  close: ['complete', 'close', 'resolve'],
  colleague: ['person', 'people'],
  day: ['agenda'],
  destroy: ['delete'],
  done: ['complete'],
  edit: ['update'],
  employee: ['person', 'people'],
  fetch: ['get'],
  find: ['search', 'list', 'find'],
  finish: ['complete'],
  holiday: ['time', 'off', 'holidays'],
  i: ['me'],
  invite: ['add', 'invite'],
  issue: ['task', 'incident'],
  mail: ['email'],
  make: ['create'],
  modify: ['update'],
  new: ['create'],
  open: ['create', 'open'],
  org: ['organization'],
  remove: ['delete', 'remove'],
  plate: ['agenda'],
  plan: ['agenda', 'plan'],
  record: ['create', 'record'],
  rename: ['update', 'rename'],
  schedule: ['create', 'schedule'],
  show: ['list', 'get'],
  ticket: ['task'],
  today: ['agenda'],
  todo: ['task'],
  undo: ['undo', 'restore'],
  user: ['person', 'people'],
  vacation: ['time', 'off', 'absence'],
  view: ['get', 'list', 'view'],
}

const weights = { name: 6, module: 3, about: 3, arguments: 1 }

interface Word {
  text: string
  stem: string
}

/** A word of an intent, with those that mean the same and count a little less. */
type Wanted = readonly (Word & { share: number })[]

/** The words of an operation, split once. */
export interface Texts {
  name: readonly Word[]
  all: readonly { words: readonly Word[]; weight: number }[]
}

export function textsOf(one: Described): Texts {
  const name = wordsIn(one.name).map(wordOf)
  const rest = [
    { words: wordsIn(one.module), weight: weights.module },
    { words: wordsIn(one.about), weight: weights.about },
    { words: one.arguments.flatMap(wordsIn), weight: weights.arguments },
  ]
  return { name, all: [{ words: name, weight: weights.name }, ...rest.map(({ words, weight }) => ({ words: words.map(wordOf), weight }))] }
}

/** The words of an intent that count; all of them, where none would be left. */
export function intentOf(query: string): Wanted[] {
  const words = [...new Set(wordsIn(query))]
  const telling = words.filter(word => !idle.has(word))
  return (telling.length > 0 ? telling : words).map(word => {
    const more = synonyms[word] ?? synonyms[stem(word)] ?? []
    return [{ ...wordOf(word), share: 1 }, ...more.map(other => ({ ...wordOf(other), share: 0.8 }))]
  })
}

/**
 * How well each of these fits, in their order; 0: not at all. Every word counts where it fits best, the more the fewer
 * operations it fits, and an operation that fits all words stands before one that fits some.
 */
export function scores(intent: readonly Wanted[], among: readonly Texts[]): number[] {
  const fits = among.map(texts => intent.map(wanted => Math.max(...wanted.flatMap(one => texts.all.map(text => one.share * text.weight * best(one, text.words))))))
  const rarity = intent.map((_, i) => rarityOf(fits.filter(one => one[i]! > 0).length, among.length))
  return fits.map((one, at) => {
    const fitting = one.filter(part => part > 0).length
    if (fitting === 0) return 0
    const sum = one.reduce((total, part, i) => total + part * rarity[i]!, 0) * (fitting / intent.length)
    return Math.round((sum + nearness(intent, among[at]!.name)) * 1000) / 1000
  })
}

/** 0.5 for a word that fits everything, 1.5 for one that fits a single operation. */
function rarityOf(count: number, all: number): number {
  return count === 0 || all < 2 ? 1 : 0.5 + Math.log(all / count) / Math.log(all)
}

/** How much of a name was asked for: create_task stands before create_task_template. */
function nearness(intent: readonly Wanted[], name: readonly Word[]): number {
  return name.filter(part => intent.some(wanted => wanted.some(one => fit(one, part) > 0))).length / name.length
}

function best(word: Word, among: readonly Word[]): number {
  return among.reduce((most, other) => Math.max(most, fit(word, other)), 0)
}

/** 1 for the same word, in one or many; less for a beginning of it. */
function fit(word: Word, other: Word): number {
  if (word.stem === other.stem) return 1
  if (word.text.length >= 3 && other.text.startsWith(word.text)) return 0.6
  if (other.text.length >= 4 && word.text.startsWith(other.text)) return 0.5
  return 0
}

function wordOf(text: string): Word {
  return { text, stem: stem(text) }
}
