import { foldText } from '../../../../kernel/text/folded-text.ts'
import type { Priority } from '../../../ui/work/states.tsx'

/** Task parsed from one line. Names are as typed; they are resolved elsewhere. */
export interface TaskLine {
  title: string
  people: string[]
  labels: string[]
  project?: string
  priority?: Priority
  /** Day phrase: `fri`, `next week`, `2026-12-01`. */
  due?: string
  minutes?: number
}

const priorityWords: Readonly<Record<string, Priority>> = {
  urgent: 'urgent',
  high: 'high',
  medium: 'medium',
  med: 'medium',
  low: 'low',
  none: 'none',
  '1': 'urgent',
  '2': 'high',
  '3': 'medium',
  '4': 'low',
}

/**
 * Parses `Oil the valves @tom !high #WEB due next fri ~2h +label`: people, priority, project, day, estimate and
 * labels can be anywhere in the line, and the rest is the title. The day extends to the next mark or to the end. A
 * backslash escapes a mark.
 */
export function parseTaskLine(line: string): TaskLine {
  const result: TaskLine = { title: '', people: [], labels: [] }
  const title: string[] = []
  const due: string[] = []
  let isDue = false
  for (const word of line.split(/\s+/).filter((part) => part !== '')) {
    if (parseMark(word, result)) isDue = false
    else if (/^due:?$/i.test(word) && due.length === 0) isDue = true
    else if (isDue) due.push(word)
    else title.push(word.replace(/^\\(?=[@!#~+]|due$)/i, ''))
  }
  if (due.length > 0) result.due = due.join(' ')
  else if (isDue) title.push('due') // it is the last word
  result.title = title.join(' ')
  return result
}

/** Returns whether a word is a mark, and adds its value to the result. */
function parseMark(word: string, result: TaskLine): boolean {
  const mark = word.charAt(0)
  const value = word.slice(1)
  if (value === '') return false
  if (mark === '@') result.people.push(value)
  else if (mark === '+') result.labels.push(value)
  else if (mark === '#' && /^[\p{L}]/u.test(value)) result.project = value
  else if (mark === '!' && priorityWords[value.toLowerCase()] !== undefined)
    result.priority = priorityWords[value.toLowerCase()] ?? 'none'
  else if (mark === '~' && minutesOf(value) !== undefined) result.minutes = minutesOf(value) ?? 0
  else return false
  return true
}

/** `2h`, `1.5h`, `1h30`, `90m`, `90`; a plain number is minutes. */
export function minutesOf(text: string): number | undefined {
  const parts = /^(?:(\d+(?:[.,]\d+)?)h)?(?:(\d+)m?)?$/i.exec(text)
  if (!parts || (parts[1] === undefined && parts[2] === undefined)) return undefined
  const hours = Number((parts[1] ?? '0').replace(',', '.'))
  const minutes = Math.round(hours * 60) + Number(parts[2] ?? 0)
  return minutes > 0 ? minutes : undefined
}

/** The entry whose name, or a word of it, starts with the typed text: `tom` finds Tom Costa. */
export function findNamed<T>(
  query: string,
  items: readonly T[],
  namesOf: (item: T) => readonly string[],
): T | undefined {
  const normalize = (text: string) => foldText(text).replaceAll(/[\s._-]/g, '')
  const normalizedQuery = normalize(query)
  const score = (item: T) => {
    const names = namesOf(item)
    if (names.some((name) => name.toLowerCase() === query.toLowerCase())) return 4 // Zoe, not Zoë
    if (names.some((name) => normalize(name) === normalizedQuery)) return 3
    if (names.some((name) => normalize(name).startsWith(normalizedQuery))) return 2
    const words = names.flatMap((name) => name.split(/\s+/))
    return words.some((word) => normalize(word).startsWith(normalizedQuery)) ? 1 : 0
  }
  const best = items
    .map((item) => ({ thing: item, score: score(item) }))
    .toSorted((a, b) => b.score - a.score)[0]
  return best && best.score > 0 ? best.thing : undefined
}
