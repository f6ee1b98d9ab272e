import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { colleaguesByName, unknownPersonRefusal, person } from '../../directory/access.ts'
import { projectMember } from '../../portfolio/access.ts'
import { meetingParticipant } from '../access.ts'

/** A resolved participant: a person of the organization, or an external address; or an unresolved name. */
export interface ParticipantInput {
  person?: Row<'users'>
  email?: string
  name?: string
}

export const maxParticipants = 200
const maxEmailLength = 320

/**
 * Resolves an id, `me`, an email address, `Name <address>` or the name of a person.
 * @returns undefined for a name that does not belong to anyone in the organization
 * @throws Refusal not_found for an unknown id; invalid_argument for an ambiguous name or an invalid address
 */
export async function resolveParticipant(
  ctx: ReadContext,
  input: string,
  field: string,
): Promise<ParticipantInput | undefined> {
  const text = input.trim()
  const [, name = '', address] = /^(.*?)\s*<([^<>]*)>$/s.exec(text) ?? []
  const email = address ?? (text.includes('@') ? text : undefined)
  if (email !== undefined)
    return participantByEmail(
      ctx,
      email.trim().toLowerCase(),
      name.replace(/^"(.*)"$/s, '$1').trim(),
      field,
    )
  if (text === 'me' || /^usr_/.test(text))
    return { person: await person.demand(ctx, text, 'see', field) }
  const colleagues = await colleaguesByName(ctx, text)
  if (colleagues.length > 1) {
    throw new Refusal(
      'invalid_argument',
      `${field}: "${text}" is the name of ${colleagues.length} people.`,
      {
        field,
        hint: 'Use an id or an email address.',
        context: { candidates: await person.candidates(ctx, colleagues) },
      },
    )
  }
  return colleagues[0] && { person: colleagues[0] }
}

async function participantByEmail(
  ctx: ReadContext,
  email: string,
  name: string,
  field: string,
): Promise<ParticipantInput> {
  if (email.length > maxEmailLength || !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(email))
    throw invalid(field, `${JSON.stringify(email.slice(0, 100))} is not an email address.`)
  const personRow = await person.find(ctx, email)
  return personRow
    ? { person: personRow }
    : omitNullish({ email, name: name === '' ? undefined : name })
}

/** Resolves a list of participants, each once. */
export async function resolveParticipants(
  ctx: ReadContext,
  texts: readonly string[],
  field = 'participants',
): Promise<ParticipantInput[]> {
  const inputsByKey = new Map<string, ParticipantInput>()
  for (const [i, text] of texts.entries()) {
    const itemField = `${field}[${i}]`
    const item = await resolveParticipant(ctx, text, itemField)
    if (!item) throw await unknownPersonRefusal(ctx, text, itemField)
    inputsByKey.set(participantKeyOf(item), item)
  }
  return [...inputsByKey.values()]
}

function participantKeyOf({ person, email }: ParticipantInput): string {
  return person?.id ?? email!
}

/** Sets a new meeting's participants, organizer first. */
export async function addParticipants(
  ctx: WriteContext,
  row: Row<'meetings'>,
  organizer: Row<'users'>,
  participants: readonly ParticipantInput[],
): Promise<void> {
  const all = [
    ...new Map(
      [{ person: organizer }, ...participants].map((input): [string, ParticipantInput] => [
        participantKeyOf(input),
        input,
      ]),
    ).values(),
  ]
  for (const [position, input] of all.entries())
    await ctx.add('meeting_people', rowFor(row, input, position))
  notifyInvited(ctx, row, participants)
}

/** Replaces all participants except the organizer. */
export async function setParticipants(
  ctx: WriteContext,
  row: Row<'meetings'>,
  participantInputs: readonly ParticipantInput[],
): Promise<void> {
  const before = await participantsOf(ctx, row.id)
  const keys = new Set([row.organizer_id as string, ...participantInputs.map(participantKeyOf)])
  for (const item of before) if (!keys.has(item.address)) await ctx.remove('meeting_people', item)
  const added = participantInputs.filter(
    (participantInput) =>
      !before.some((existing) => existing.address === participantKeyOf(participantInput)),
  )
  const last = Math.max(0, ...before.map((item) => item.position))
  for (const [i, input] of added.entries())
    await ctx.add('meeting_people', rowFor(row, input, last + 1 + i))
  notifyInvited(ctx, row, added)
}

function rowFor(row: Row<'meetings'>, participantInput: ParticipantInput, position: number) {
  return {
    meeting_id: row.id,
    address: participantKeyOf(participantInput),
    position,
    person_id: participantInput.person?.id ?? null,
    email: participantInput.person ? null : (participantInput.email ?? null),
    name: participantInput.person ? null : (participantInput.name ?? null),
  }
}

function notifyInvited(
  ctx: WriteContext,
  row: Row<'meetings'>,
  participants: readonly ParticipantInput[],
): void {
  ctx.notify(
    'invite',
    participants.flatMap((participantInput) => participantInput.person?.id ?? []),
    'meetings',
    row,
    `${ctx.actor.display_name} added you to a meeting`,
  )
}

export async function participantsOf(
  ctx: ReadContext,
  id: Id<'meetings'>,
): Promise<Row<'meeting_people'>[]> {
  return meetingParticipant
    .of(ctx, [id])
    .selectAll('meeting_people')
    .orderBy('meeting_people.position')
    .execute()
}

/** Ids of the people who currently have access to a meeting. */
export async function meetingReaders(ctx: ReadContext, row: Row<'meetings'>): Promise<Set<string>> {
  const participantIds = (await participantsOf(ctx, row.id)).flatMap(
    (participant) => participant.person_id ?? [],
  )
  if (row.visibility === 'organization')
    return new Set(
      (await person.visibleTo(ctx).select('users.id').execute()).map((item) => item.id),
    )
  if (row.visibility === 'participants' || row.project_id === null) return new Set(participantIds)
  const members = await projectMember
    .of(ctx, [row.project_id])
    .select('project_members.person_id')
    .execute()
  return new Set([...participantIds, ...members.map((member) => member.person_id)])
}

/** Notifies people who gained or lost access to a meeting since `before` was determined. */
export async function notifyVisibilityChange(
  ctx: WriteContext,
  row: Row<'meetings'>,
  before: ReadonlySet<string>,
): Promise<void> {
  const now = await meetingReaders(ctx, row)
  for (const id of now.difference(before)) ctx.access('access_gained', 'meetings', row, id)
  for (const id of before.difference(now)) ctx.access('access_lost', 'meetings', row, id)
}
