import { z } from 'zod'
import { shortText } from '../../../kernel/fields.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import { unresolvedMentions } from '../../../kernel/text/mentions.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { AnyItem } from '../../../records/items.ts'
import type { Row } from '../../../records/resource.ts'
import { meeting } from '../access.ts'
import { presentMeeting } from './presenter.ts'
import { maxParticipants } from './participants.ts'

export const agendaLines = () =>
  z
    .array(shortText(1000))
    .max(100)
    .optional()
    .describe(
      'one point per line; "[x] " marks it as done, "[ ] " as open; unmarked, it stays unchanged',
    )
export const participantInput = () =>
  z.array(z.string().min(1).max(400)).max(maxParticipants).optional()
export const participantsHelp =
  'ids, me, names or email addresses of people; "Name <address>" for external people'
export const visibilityHelp =
  'who can read it besides the participants: no one, the members of its project, or the whole organization'

/** @throws Refusal not_found if an item is not of the type */
export function requireItemType(
  item: AnyItem | undefined,
  type: string,
  field: string,
  hint: string,
): void {
  if (item && item.resource.definition.type !== type)
    throw new Refusal('not_found', `${field}: there is no such ${type}; ${hint}.`, { field })
}

export function requireProject(
  visibility: Row<'meetings'>['visibility'],
  projectId: string | null,
): void {
  if (visibility === 'project' && projectId === null)
    throw invalid(
      'visibility',
      'this meeting does not belong to a project.',
      'Use participants or organization.',
    )
}

/** The result of a write, presented even if the caller is no longer a participant and cannot see the meeting. */
export async function presentUpdated(ctx: WriteContext, row: Row<'meetings'>) {
  return {
    ...(await presentMeeting(ctx, (await meeting.find(ctx, row.id)) ?? row)),
    ...unresolvedMentions(ctx),
  }
}
