import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { date, pageOf, paging, shortText } from '../../../kernel/fields.ts'
import { equalsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { BulkResult } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { actionItem, meeting } from '../access.ts'
import { belongsToProject, hasStatus } from './access.ts'
import { atSecond } from '../meetings/notes.ts'
import {
  resolveParticipant,
  participantsOf,
  type ParticipantInput,
} from '../meetings/participants.ts'
import { ActionItem, actionStates } from '../shapes.ts'
import { presentActionItems } from './presenter.ts'

const maxItems = 500

const Item = z.strictObject({
  text: z.string().min(1).max(500).regex(/\S/, 'must not be blank'),
  owner: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .describe(
      'id, me, email or name of a person; another name or "Name <address>" for external people',
    ),
  due_on: date().optional(),
  quote: z.string().max(5000).optional().describe('what was said'),
  at_second: atSecond(),
})

export const addActionItems = operation({
  name: 'add_action_items',
  searchHint: 'follow-ups, next steps, to dos from the meeting, who does what',
  kind: 'write',
  rest: 'POST /api/meetings/{meeting_id}/action-items',
  creates: 'items',
  about: 'Add agreed actions with owner, due date and the quote they come from',
  on: { meeting: meeting.edit },
  input: { items: z.array(Item).min(1).max(100).describe('agreed actions, one each') },
  output: BulkResult,
  async handle({ meeting: row, items }, ctx) {
    const { count } = await actionItem
      .of(ctx, [row.id])
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count + items.length > maxItems)
      throw new Refusal(
        'conflict',
        `A meeting can have ${maxItems} action items; this one has ${count}.`,
        { field: 'items' },
      )
    const addedItems: Row<'action_items'>[] = []
    for (const [i, item] of items.entries())
      addedItems.push(await addItem(ctx, row, item, `items[${i}].owner`))
    for (const [owner, assignedItems] of Map.groupBy(addedItems, (item) => item.owner_id))
      if (owner !== null)
        ctx.notify(
          'assignment',
          [owner],
          'action_items',
          assignedItems[0]!,
          `${ctx.actor.display_name} gave you ${assignedItems.length === 1 ? 'an action' : `${assignedItems.length} actions`} from a meeting`,
        )
    return {
      requested: items.length,
      matched: items.length,
      changed: addedItems.length,
      skipped: [],
      failed: [],
      items: addedItems.map((item) => actionItem.ref(item, ctx.baseUrl)),
      dry_run: ctx.dryRun,
      ...(ctx.dryRun ? {} : { undo_call_id: ctx.callId }),
    }
  },
})

async function addItem(
  ctx: WriteContext,
  meetingRow: Row<'meetings'>,
  { text, owner, due_on, quote, at_second }: z.infer<typeof Item>,
  field: string,
): Promise<Row<'action_items'>> {
  const ownerInput = owner?.trim() ? await ownerNamed(ctx, meetingRow, owner.trim(), field) : {}
  const row = await ctx.add('action_items', {
    meeting_id: meetingRow.id,
    text: text.trim(),
    owner_id: ownerInput.person?.id ?? null,
    owner_email: ownerInput.person ? null : (ownerInput.email ?? null),
    owner_name: ownerInput.person ? null : (ownerInput.name ?? null),
    due_on: due_on ?? null,
    quote: quote?.trim() ? quote.trim() : null,
    at_second: at_second ?? null,
  })
  ctx.event('action_item.added', 'action_items', row)
  return row
}

/** Resolves an owner: a unique first name is enough for a participant; an unknown name stays a name. */
async function ownerNamed(
  ctx: WriteContext,
  meetingRow: Row<'meetings'>,
  text: string,
  field: string,
): Promise<ParticipantInput> {
  const knownOwner = await resolveParticipant(ctx, text, field)
  if (knownOwner) return knownOwner
  const participants = await participantsOf(ctx, meetingRow.id)
  const people = await person.among(
    ctx,
    participants.flatMap((row) => row.person_id ?? []),
  )
  const firstNameOf = (name: string | null | undefined) =>
    name?.trim().toLowerCase().split(/\s+/)[0]
  const candidates: ParticipantInput[] = participants.flatMap((row) => {
    const participant = row.person_id === null ? undefined : people.get(row.person_id)
    const name = participant?.display_name ?? row.name
    if (name?.toLowerCase() !== text.toLowerCase() && firstNameOf(name) !== text.toLowerCase())
      return []
    return [
      participant
        ? { person: participant }
        : { email: row.email!, ...(row.name === null ? {} : { name: row.name }) },
    ]
  })
  return candidates.length === 1 ? candidates[0]! : { name: text }
}

export const listActionItems = operation({
  name: 'list_action_items',
  searchHint: 'follow-ups, next steps, open to dos from meetings, promises',
  kind: 'read',
  rest: 'GET /api/action-items',
  about: 'Actions from meetings, open or done, also those not yet turned into tasks',
  on: {
    meeting: meeting.see.maybe,
    project: project.see.maybe.describe('action items of its meetings, or with a task in it'),
  },
  input: {
    owner: shortText(320).optional().describe('id, me, email or name'),
    status: z
      .array(z.enum(actionStates))
      .max(4)
      .optional()
      .describe('open: not turned into a task; task_created: its task is open'),
    due_before: date().optional().describe('due on that day or earlier'),
    ...paging,
  },
  output: pageOf(ActionItem),
  async handle({ meeting, project: projectRow, owner, status, due_before, limit, cursor }, ctx) {
    let query = actionItem.visibleTo(ctx).selectAll('action_items')
    if (meeting) query = query.where('action_items.meeting_id', '=', meeting.id)
    if (projectRow) query = query.where(belongsToProject(ctx, projectRow.id))
    if (status && status.length > 0) query = query.where(hasStatus(ctx, status))
    if (due_before !== undefined) query = query.where('action_items.due_on', '<=', due_before)
    if (owner?.trim()) {
      const text = owner.trim()
      const ownerInput = await resolveParticipant(ctx, text, 'owner')
      const email = ownerInput?.email
      query = ownerInput?.person
        ? query.where('action_items.owner_id', '=', ownerInput.person.id)
        : query.where((eb) =>
            eb.or([
              ...(email === undefined ? [] : [eb('action_items.owner_email', '=', email)]),
              equalsText('action_items.owner_name', text),
            ]),
          )
    }
    const page = await paged(
      query,
      [
        { by: 'action_items.due_on', as: 'due_on', dir: 'asc', nullable: true },
        { by: 'action_items.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentActionItems(ctx, page.items))
  },
})
