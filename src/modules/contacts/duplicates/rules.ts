import { mailboxOf } from '../contacts/emails.ts'
import { isMailProvider } from '../contacts/shared-domains.ts'
import { nameLikeness, nameWords } from './similarity.ts'

/** Properties of a contact for duplicate detection. */
export interface Suspect {
  id: string
  name: string
  trust: string | null
  /** The words of the name, once they were asked for. */
  words?: string[]
  company_id: string | null
  emails: readonly string[]
  phones: readonly string[]
}

type Reason = 'same_email' | 'same_phone' | 'similar_name_and_company'

export interface Group {
  ids: string[]
  reason: Reason
  /** 0 to 1. */
  confidence: number
}

/** A switchboard is many people's number. */
const maxContactsPerPhone = 4
/** Names with the same initials in one company that are compared with each other; of more only those that begin alike. */
const maxCompared = 100
const alike = 0.9
/**
 * Groups of contacts that look like the same person, the surest first. Nothing is compared with everything: addresses and numbers meet in
 * a map, names within their company only. A pair that was found for one reason is not told again for a weaker one.
 */
export function duplicateGroups(suspects: readonly Suspect[]): Group[] {
  const reported = new Set<string>()
  const groups: Group[] = []
  const tell = (group: Group) => {
    const key = [...group.ids].sort().join()
    if (reported.has(key)) return
    reported.add(key)
    groups.push(group)
  }
  for (const sharedEmail of gathered(suspects, (suspect) => suspect.emails.map(mailboxOf)))
    tell({ ids: suspectIdsOf(sharedEmail), reason: 'same_email', confidence: 0.98 })
  for (const sharedPhone of gathered(suspects, (suspect) => suspect.phones))
    if (sharedPhone.length <= maxContactsPerPhone)
      tell({
        ids: suspectIdsOf(sharedPhone),
        reason: 'same_phone',
        confidence: phoneConfidence(sharedPhone),
      })
  for (const coworkers of gathered(suspects, workplaces))
    for (const group of alikeIn(coworkers)) tell(group)
  return groups.sort((a, b) => b.confidence - a.confidence || (a.ids[0]! < b.ids[0]! ? -1 : 1))
}

function suspectIdsOf(suspects: readonly Suspect[]): string[] {
  return suspects.map((suspect) => suspect.id)
}

function gathered(
  suspects: readonly Suspect[],
  keys: (suspect: Suspect) => readonly string[],
): Suspect[][] {
  const suspectsByKey = new Map<string, Suspect[]>()
  for (const suspect of suspects) {
    for (const key of new Set(keys(suspect))) {
      const sharing = suspectsByKey.get(key)
      if (sharing) sharing.push(suspect)
      else suspectsByKey.set(key, [suspect])
    }
  }
  return [...suspectsByKey.values()].filter((group) => group.length > 1)
}

function suspectWordsOf(suspect: Suspect): string[] {
  return (suspect.words ??= nameWords(suspect.name))
}

/** A shared number is a person's own where the names are alike, too. */
function phoneConfidence(suspects: readonly Suspect[]): number {
  const [first, ...others] = suspects.map((suspect) => suspectWordsOf(suspect))
  const least = Math.min(...others.map((other) => nameLikeness(first!, other)))
  return Math.round((0.5 + 0.45 * Math.max(0, least)) * 100) / 100
}

/**
 * Keys of the workplace: the company, else the domains of the addresses; a suspect without either is compared only
 * with others of exactly the same name.
 */
function workplaces(suspect: Suspect): string[] {
  const domains = suspect.emails
    .map((email) => email.slice(email.lastIndexOf('@') + 1))
    .filter((domain) => !isMailProvider(domain))
  const places = [...(suspect.company_id === null ? [] : [suspect.company_id]), ...domains]
  return places.length > 0 ? places : [`nobody's ${suspectWordsOf(suspect).join(' ')}`]
}

interface Named {
  suspect: Suspect
  words: string[]
}

/** Names of several words are alike only with the same initials: what has others is never compared. */
function alikeIn(suspects: readonly Suspect[]): Group[] {
  const candidates = suspects.map((suspect) => ({ suspect, words: suspectWordsOf(suspect) }))
  const blocks = [
    ...Map.groupBy(candidates, ({ words }) => words.map((word) => word[0]).join('')),
  ].flatMap(([, block]) => (block.length <= maxCompared ? [block] : beginningAlike(block)))
  return blocks.flatMap((block) => clusters(block))
}

function beginningAlike(block: readonly Named[]): Named[][] {
  const sampleWord = (words: readonly string[]) =>
    words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return [...Map.groupBy(block, ({ words }) => sampleWord(words).slice(0, 4)).values()].map(
    (group) => group.slice(0, 4 * maxCompared),
  )
}

/** Groups similar suspects, each with the first one of its group. */
function clusters(block: readonly Named[]): Group[] {
  const groups: Group[] = []
  const used = new Set<string>()
  for (const [i, first] of block.entries()) {
    if (used.has(first.suspect.id)) continue
    const others = block.slice(i + 1).flatMap((other) => {
      const score =
        used.has(other.suspect.id) || other.suspect.id === first.suspect.id
          ? 0
          : nameLikeness(first.words, other.words)
      return score >= alike ? [{ other, score }] : []
    })
    if (others.length === 0) continue
    for (const { other } of others) used.add(other.suspect.id)
    const works = first.suspect.company_id !== null || first.suspect.emails.length > 0
    const least = Math.min(...others.map((other) => other.score))
    groups.push({
      ids: [first.suspect.id, ...others.map(({ other }) => other.suspect.id)],
      reason: 'similar_name_and_company',
      confidence: Math.round(least * (works ? 0.9 : 0.6) * 100) / 100,
    })
  }
  return groups
}
