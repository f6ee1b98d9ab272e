import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import type { KeptSpeaker } from './access.ts'
import { namedBy, participantsOf } from '../meetings/participants.ts'

/** Label of a speaker whose name the transcript does not contain. */
export const nameless = 'Unknown speaker'

type Person = Pick<Row<'users'>, 'id' | 'display_name' | 'email'>

const foldSpeaker = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
/** A name without recorders' additions: `Ann Lee (she/her)`, `Ann Lee | Acme`, `Ann Lee - host`. */
const speakerKeyOf = (label: string) => foldSpeaker(label.replace(/\s*[([|].*$|\s+[-–]\s.*$/s, ''))

/**
 * Matches the speakers of a transcript to people: by `map`; else by the name, address or (if unique) first name of a
 * participant; else by the name or address of exactly one person of the organization.
 * @throws Refusal invalid_argument where map names no speaker of it, not_found for unknown ids in it
 */
export async function speakersMatched(
  ctx: ReadContext,
  on: Row<'meetings'>,
  labels: readonly string[],
  map: Readonly<Record<string, string>>,
): Promise<KeptSpeaker[]> {
  const unknown = Object.keys(map).find((label) => !labels.includes(label))
  if (unknown !== undefined)
    throw invalid(
      `speaker_map.${unknown}`,
      `this transcript has no speaker named ${JSON.stringify(unknown)}.`,
      `Its speakers are ${labels
        .slice(0, 30)
        .map((label) => JSON.stringify(label))
        .join(', ')}.`,
    )
  const taking = [
    ...(
      await person.among(
        ctx,
        (await participantsOf(ctx, on.id)).flatMap((participant) => participant.person_id ?? []),
      )
    ).values(),
  ]
  const everybody =
    labels.length > Object.keys(map).length
      ? await person
          .visibleTo(ctx)
          .select(['users.id', 'users.display_name', 'users.email'])
          .where('users.status', '<>', 'deactivated')
          .execute()
      : []
  const speakers: KeptSpeaker[] = []
  for (const label of labels) {
    const to = map[label]
    if (to !== undefined) {
      const participant = await namedBy(ctx, to, `speaker_map.${label}`)
      speakers.push({
        label:
          participant?.person?.display_name ?? participant?.name ?? participant?.email ?? to.trim(),
        person_id: participant?.person?.id ?? null,
      })
    } else
      speakers.push({
        label,
        person_id: (among(taking, label, true) ?? among(everybody, label, false))?.id ?? null,
      })
  }
  return speakers
}

/** The only person whose name or address matches a label. */
function among(people: readonly Person[], label: string, byFirstName: boolean): Person | undefined {
  const name = speakerKeyOf(label)
  if (name === '') return undefined
  const matches = people.filter(
    (item) => foldSpeaker(item.display_name) === name || item.email === label.trim().toLowerCase(),
  )
  if (matches.length > 0 || !byFirstName) return matches.length === 1 ? matches[0] : undefined
  const first = people.filter((item) => foldSpeaker(item.display_name).split(' ')[0] === name)
  return first.length === 1 ? first[0] : undefined
}
