import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import type { KeptSpeaker } from './access.ts'
import { namedBy, participantsOf } from '../meetings/participants.ts'

/** What a speaker of whom the transcript does not tell the name is called. */
export const nameless = 'Unknown speaker'

type Person = Pick<Row<'users'>, 'id' | 'display_name' | 'email'>

const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
/** A name without what recorders add to it: `Ann Lee (she/her)`, `Ann Lee | Acme`, `Ann Lee - host`. */
const bare = (label: string) => folded(label.replace(/\s*[([|].*$|\s+[-–]\s.*$/s, ''))

/**
 * Who the speakers of a transcript are: as `map` says; else a participant whose name, address or (where no other has it) first name it
 * is; else the one person of the organization of that name or address.
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
      const named = await namedBy(ctx, to, `speaker_map.${label}`)
      speakers.push({
        label: named?.person?.display_name ?? named?.name ?? named?.email ?? to.trim(),
        person_id: named?.person?.id ?? null,
      })
    } else
      speakers.push({
        label,
        person_id: (among(taking, label, true) ?? among(everybody, label, false))?.id ?? null,
      })
  }
  return speakers
}

/** The only one of these whose name or address a label is. */
function among(people: readonly Person[], label: string, byFirstName: boolean): Person | undefined {
  const name = bare(label)
  if (name === '') return undefined
  const found = people.filter(
    (item) => folded(item.display_name) === name || item.email === label.trim().toLowerCase(),
  )
  if (found.length > 0 || !byFirstName) return found.length === 1 ? found[0] : undefined
  const first = people.filter((item) => folded(item.display_name).split(' ')[0] === name)
  return first.length === 1 ? first[0] : undefined
}
