import { mailboxOf } from '../contacts/emails.ts'
import { isMailProvider } from '../contacts/shared-domains.ts'
import { nameLikeness, nameWords } from './similarity.ts'

/** Properties of a contact for duplicate detection. */
export interface DuplicateCandidate {
  id: string
  name: string
  trust: string | null
  /** Words of the name, cached when first needed. */
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

/** A number shared by more contacts than this is taken for a switchboard. */
const maxContactsPerPhone = 4
/** Maximum names with the same initials in one company that are all compared; of more, only those with a similar word. */
const maxCompared = 100
const minNameLikeness = 0.9
/**
 * Groups of contacts that look like the same person, most certain first. Not all pairs are compared: addresses and numbers are looked up in
 * a map, and names are compared only within a company. The same group is not reported again for a weaker reason.
 */
export function duplicateGroups(suspects: readonly DuplicateCandidate[]): Group[] {
  const reported = new Set<string>()
  const groups: Group[] = []
  const report = (group: Group) => {
    const key = [...group.ids].sort().join()
    if (reported.has(key)) return
    reported.add(key)
    groups.push(group)
  }
  for (const sharedEmail of groupsWithSameKey(suspects, (suspect) => suspect.emails.map(mailboxOf)))
    report({ ids: idsOf(sharedEmail), reason: 'same_email', confidence: 0.98 })
  for (const sharedPhone of groupsWithSameKey(suspects, (suspect) => suspect.phones))
    if (sharedPhone.length <= maxContactsPerPhone)
      report({
        ids: idsOf(sharedPhone),
        reason: 'same_phone',
        confidence: phoneConfidence(sharedPhone),
      })
  for (const coworkers of groupsWithSameKey(suspects, workplaces))
    for (const group of groupsOfSimilarNames(coworkers)) report(group)
  return groups.sort((a, b) => b.confidence - a.confidence || (a.ids[0]! < b.ids[0]! ? -1 : 1))
}

function idsOf(suspects: readonly DuplicateCandidate[]): string[] {
  return suspects.map((suspect) => suspect.id)
}

function groupsWithSameKey(
  suspects: readonly DuplicateCandidate[],
  keys: (suspect: DuplicateCandidate) => readonly string[],
): DuplicateCandidate[][] {
  const suspectsByKey = new Map<string, DuplicateCandidate[]>()
  for (const suspect of suspects) {
    for (const key of new Set(keys(suspect))) {
      const sameKey = suspectsByKey.get(key)
      if (sameKey) sameKey.push(suspect)
      else suspectsByKey.set(key, [suspect])
    }
  }
  return [...suspectsByKey.values()].filter((group) => group.length > 1)
}

function candidateWords(suspect: DuplicateCandidate): string[] {
  return (suspect.words ??= nameWords(suspect.name))
}

/** Confidence that contacts with the same number are one person: higher if their names are similar, too. */
function phoneConfidence(suspects: readonly DuplicateCandidate[]): number {
  const [first, ...others] = suspects.map((suspect) => candidateWords(suspect))
  const minLikeness = Math.min(...others.map((other) => nameLikeness(first!, other)))
  return Math.round((0.5 + 0.45 * Math.max(0, minLikeness)) * 100) / 100
}

/**
 * Keys of the workplace: the company, else the domains of the addresses; a suspect without either is compared only
 * with others of exactly the same name.
 */
function workplaces(suspect: DuplicateCandidate): string[] {
  const domains = suspect.emails
    .map((email) => email.slice(email.lastIndexOf('@') + 1))
    .filter((domain) => !isMailProvider(domain))
  const places = [...(suspect.company_id === null ? [] : [suspect.company_id]), ...domains]
  return places.length > 0 ? places : [`without company: ${candidateWords(suspect).join(' ')}`]
}

interface CandidateWithWords {
  suspect: DuplicateCandidate
  words: string[]
}

/** Groups of similar names. Names with different initials are never compared. */
function groupsOfSimilarNames(suspects: readonly DuplicateCandidate[]): Group[] {
  const namedCandidates = suspects.map((suspect) => ({ suspect, words: candidateWords(suspect) }))
  const blocks = [
    ...Map.groupBy(namedCandidates, ({ words }) => words.map((word) => word[0]).join('')),
  ].flatMap(([, block]) => (block.length <= maxCompared ? [block] : splitByLongestWord(block)))
  return blocks.flatMap((block) => clusters(block))
}

function splitByLongestWord(block: readonly CandidateWithWords[]): CandidateWithWords[][] {
  const pickLongestWord = (words: readonly string[]) =>
    words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return [...Map.groupBy(block, ({ words }) => pickLongestWord(words).slice(0, 4)).values()].map(
    (group) => group.slice(0, 4 * maxCompared),
  )
}

/** Groups candidates whose names are similar to that of the first one in the group. */
function clusters(block: readonly CandidateWithWords[]): Group[] {
  const groups: Group[] = []
  const used = new Set<string>()
  for (const [i, first] of block.entries()) {
    if (used.has(first.suspect.id)) continue
    const others = block.slice(i + 1).flatMap((other) => {
      const score =
        used.has(other.suspect.id) || other.suspect.id === first.suspect.id
          ? 0
          : nameLikeness(first.words, other.words)
      return score >= minNameLikeness ? [{ other, score }] : []
    })
    if (others.length === 0) continue
    for (const { other } of others) used.add(other.suspect.id)
    const hasWorkplace = first.suspect.company_id !== null || first.suspect.emails.length > 0
    const minScore = Math.min(...others.map((other) => other.score))
    groups.push({
      ids: [first.suspect.id, ...others.map(({ other }) => other.suspect.id)],
      reason: 'similar_name_and_company',
      confidence: Math.round(minScore * (hasWorkplace ? 0.9 : 0.6) * 100) / 100,
    })
  }
  return groups
}
