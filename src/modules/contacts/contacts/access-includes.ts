// Items of other modules related to a contact, as far as the reader can see them: meetings with it, and tasks
// from its interactions and action items.
import { ExtensionPoint } from '../../../records/extension-point.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { task } from '../../tasks/access.ts'
import { interaction } from '../access.ts'

/** Meetings with one of these addresses among the participants, newest first. Registered by the meetings module. */
export const contactMeetings = new ExtensionPoint<
  (viewer: Viewer, emails: readonly string[], limit: number) => Promise<Row<'meetings'>[]>
>()

export async function meetingsWith(
  viewer: Viewer,
  emails: readonly string[],
  limit: number,
): Promise<Row<'meetings'>[]> {
  const meetings = []
  for (const find of contactMeetings.entries) meetings.push(...(await find(viewer, emails, limit)))
  return meetings
}

/** Tasks created from interactions with a contact, or from action items that it owns; newest first. */
export async function tasksOfContact(
  reader: Viewer,
  id: Id<'contacts'>,
  emails: readonly string[],
  limit: number,
): Promise<Pick<Row<'tasks'>, 'id' | 'key' | 'title' | 'status_category'>[]> {
  const { all, actor } = accessScopeOf(reader)
  const interactionIds = all
    .selectFrom('interaction_contacts')
    .select('interaction_id')
    .where('contact_id', '=', id)
  const visibleInteractions = interaction
    .visibleTo(reader)
    .where('interactions.id', 'in', interactionIds)
    .select('interactions.id')
  const actionItems = all
    .selectFrom('action_items')
    .select('action_items.id')
    .where('action_items.org_id', '=', actor.org_id)
    .where('action_items.owner_email', 'in', emails.length > 0 ? [...emails] : [''])
  return task
    .visibleTo(reader)
    .select(['tasks.id', 'tasks.key', 'tasks.title', 'tasks.status_category'])
    .where((eb) =>
      eb.or([
        eb.and([
          eb('tasks.source_type', '=', 'interaction'),
          eb('tasks.source_id', 'in', visibleInteractions),
        ]),
        eb.and([
          eb('tasks.source_type', '=', 'action_item'),
          eb('tasks.source_id', 'in', actionItems),
        ]),
      ]),
    )
    .orderBy('tasks.id', 'desc')
    .limit(limit)
    .execute()
}
