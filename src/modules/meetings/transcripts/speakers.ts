import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import type { StoredSpeaker } from './access.ts'
import { resolveParticipant, participantsOf } from '../meetings/participants.ts'

/** Label of a speaker who is not named in the transcript. */
export const unknownSpeakerLabel = 'Unknown speaker'

type Person = Pick<Row<'users'>, 'id' | 'display_name' | 'email'>

const foldSpeaker = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
/** Removes what recorders add to a name: `Ann Lee (she/her)`, `Ann Lee | Acme`, `Ann Lee - host`. */
const speakerKeyOf = (label: string) => foldSpeaker(label.replace(/\s*[([|].*$|\s+[-–]\s.*$/s, ''))

/**
 * Matches the speakers of a transcript to people: by `map`; else by the name, address or (if unique) first name of a
 * participant; else by the name or address of exactly one person of the organization.
 * @throws Refusal invalid_argument if `map` has an unknown speaker, not_found for unknown ids in it
 */
export async function matchSpeakers(
  ctx: ReadContext,
  meetingRow: Row<'meetings'>,
  labels: readonly string[],
  map: Readonly<Record<string, string>>,
): Promise<StoredSpeaker[]> {
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
  const participants = [
    ...(
      await person.among(
        ctx,
        (
          await participantsOf(ctx, meetingRow.id)
        ).flatMap((participant) => participant.person_id ?? []),
      )
    ).values(),
  ]
  const colleagues =
    labels.length > Object.keys(map).length
      ? await person
          .visibleTo(ctx)
          .select(['users.id', 'users.display_name', 'users.email'])
          .where('users.status', '<>', 'deactivated')
          .execute()
      : []
  const speakers: StoredSpeaker[] = []
  for (const label of labels) {
    const mappedTo = map[label]
    if (mappedTo !== undefined) {
      const participant = await resolveParticipant(ctx, mappedTo, `speaker_map.${label}`)
      speakers.push({
        label:
          participant?.person?.display_name ??
          participant?.name ??
          participant?.email ??
          mappedTo.trim(),
        person_id: participant?.person?.id ?? null,
      })
    } else
      speakers.push({
        label,
        person_id:
          (matchingPerson(participants, label, true) ?? matchingPerson(colleagues, label, false))
            ?.id ?? null,
      })
  }
  return speakers
}

/** The only person whose name or address matches a label. */
function matchingPerson(
  people: readonly Person[],
  label: string,
  byFirstName: boolean,
): Person | undefined {
  const name = speakerKeyOf(label)
  if (name === '') return undefined
  const matches = people.filter(
    (item) => foldSpeaker(item.display_name) === name || item.email === label.trim().toLowerCase(),
  )
  if (matches.length > 0 || !byFirstName) return matches.length === 1 ? matches[0] : undefined
  const byFirst = people.filter((item) => foldSpeaker(item.display_name).split(' ')[0] === name)
  return byFirst.length === 1 ? byFirst[0] : undefined
}
