import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { date, shortText } from '../../../kernel/fields.ts'
import { oneLine } from '../../../kernel/text/markdown.ts'
import { operation } from '../../../operations/operation.ts'
import { denied, invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { page } from '../../pages/access.ts'
import { person } from '../../directory/access.ts'
import { holdersOf, incident } from '../access.ts'
import { requireActiveResponder, isLead } from '../incidents/role-changes.ts'
import { makePostmortemPage, sharePostmortem } from './pages.ts'
import { postmortemRowOf, presentPostmortem } from './presenter.ts'
import { Postmortem } from '../shapes.ts'
import { requireTransition } from '../incidents/states.ts'
import { addTimelineEntry } from '../incidents/timeline.ts'
import { closeIncident } from '../incidents/transitions.ts'

type Incident = Row<'incidents'>

export const createPostmortem = operation({
  name: 'create_postmortem',
  searchHint: 'root cause analysis, RCA, lessons learned, incident review, blameless review',
  kind: 'write',
  rest: 'POST /api/incidents/{incident_id}/postmortem',
  about: 'Draft a postmortem page filled from timeline, roles, impact and follow-up tasks',
  on: {
    incident: incident.edit,
    template: page.see.maybe
      .named('template_page_id')
      .describe(
        'a page with {{incident}}, {{incident_title}}, {{severity}}, {{services}}, {{summary}}, {{impact}}, {{cause}}, {{resolution}}, {{timeline}}, {{status_updates}}, {{follow_up_tasks}}, {{lead}}, {{detected_at}}, {{resolved_at}}, {{time_to_resolve}} etc.',
      ),
    author: person.see.maybe.describe('default: you'),
  },
  input: { due_on: date().optional() },
  output: Postmortem,
  async handle({ incident, template, author: requestedAuthor, due_on }, ctx) {
    await requireNoPostmortem(ctx, incident)
    const author = requestedAuthor ?? (await person.among(ctx, [ctx.actor.id])).get(ctx.actor.id)!
    await requireAuthorAccess(ctx, incident, author)
    const pageRow = await makePostmortemPage(ctx, {
      incident,
      author,
      due: due_on,
      template,
    })
    const row = await ctx.add('postmortems', {
      incident_id: incident.id,
      page_id: pageRow.id,
      author_id: author.id,
      due_on: due_on ?? null,
    })
    await sharePostmortem(ctx, incident, author.id)
    await addTimelineEntry(ctx, incident, {
      kind: 'link',
      text: `Postmortem drafted: [${incident.key}](${page.url(pageRow, ctx.baseUrl)})`,
    })
    ctx.notify(
      'assignment',
      [author.id],
      'postmortems',
      row,
      `${ctx.actor.display_name} asked you to write the postmortem of ${incident.key}`,
    )
    return presentPostmortem(ctx, incident, row)
  },
})

/** @throws Refusal conflict: an incident has only one postmortem */
async function requireNoPostmortem(ctx: ReadContext, incident: Incident): Promise<void> {
  const existing = await postmortemRowOf(ctx, incident)
  if (!existing) return
  const visiblePage = (await page.among(ctx, [existing.page_id])).get(existing.page_id)
  const hint = visiblePage
    ? `Continue with its page ${visiblePage.id}.`
    : 'Its page is in the trash or not shared with you; its owner can restore it with restore_item.'
  throw new Refusal('conflict', `${incident.key} already has a postmortem.`, {
    hint,
    context: { postmortem_id: existing.id, page_id: existing.page_id },
  })
}

/** @throws Refusal invalid_argument if the author has no access to the incident */
async function requireAuthorAccess(
  ctx: ReadContext,
  incidentRow: Incident,
  author: Row<'users'>,
): Promise<void> {
  requireActiveResponder(author, 'author_id')
  if (incidentRow.restricted === 0 || author.role === 'admin' || author.id === ctx.actor.id) return
  if ((await holdersOf(ctx, [incidentRow.id])).some((holder) => holder.person_id === author.id))
    return
  throw invalid(
    'author_id',
    `${author.display_name} cannot see ${incidentRow.key}, which is restricted.`,
    'Give them a role in it first (assign_incident_role).',
  )
}

export const publishPostmortem = operation({
  name: 'publish_postmortem',
  searchHint: 'finish the incident review, send out the postmortem',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/incidents/{incident_id}/postmortem/publish',
  about: 'Finalize the postmortem, notify the organization and close the incident',
  on: { incident: incident.edit },
  input: { note: shortText(2000).optional().describe('message') },
  output: Postmortem,
  async handle({ incident, note }, ctx) {
    const row = await postmortemRowOf(ctx, incident)
    if (!row)
      throw new Refusal('conflict', `${incident.key} has no postmortem yet.`, {
        hint: 'Draft one first.',
        next: { tool: 'create_postmortem', arguments: { incident_id: incident.key } },
      })
    if (!(await mayPublish(ctx, incident, row)))
      throw denied(
        `Only the lead of ${incident.key}, the author of its postmortem or an administrator can publish it, because publishing closes the incident.`,
      )
    if (incident.status !== 'closed') requireTransition(incident, 'closed')
    const published = row.published_at === null ? await publish(ctx, incident, row, note) : row
    const closed =
      incident.status === 'closed'
        ? incident
        : await closeIncident(ctx, incident, publicationText(ctx, row, note))
    return presentPostmortem(ctx, closed, published)
  },
})

async function mayPublish(
  ctx: ReadContext,
  incident: Incident,
  row: Row<'postmortems'>,
): Promise<boolean> {
  return (
    isAdmin(ctx.actor) ||
    row.author_id === ctx.actor.id ||
    (await isLead(ctx, incident, ctx.actor.id))
  )
}

/** For the incident's channel and timeline, with the page's address: their readers have access to the incident. */
function publicationText(
  ctx: ReadContext,
  { page_id }: Row<'postmortems'>,
  note: string | undefined,
): string {
  return `The postmortem is published: ${ctx.baseUrl}/pages/${page_id}${note?.trim() ? ` ${oneLine(note)}` : ''}`
}

async function publish(
  ctx: WriteContext,
  incident: Incident,
  row: Row<'postmortems'>,
  noteText: string | undefined,
): Promise<Row<'postmortems'>> {
  const visiblePage = (await page.among(ctx, [row.page_id])).get(row.page_id)
  if (!visiblePage)
    throw new Refusal(
      'conflict',
      `The postmortem page of ${incident.key} is in the trash or not shared with you.`,
      'Restore it with restore_item, or ask its owner.',
    )
  const published = await ctx.change('postmortems', row, {
    published_at: ctx.now,
    note: noteText?.trim() || null,
  })
  ctx.event('postmortem.published', 'postmortems', published)
  const activePeople = await person
    .visibleTo(ctx)
    .select('users.id')
    .where('users.status', '=', 'active')
    .execute()
  ctx.notify(
    'incident',
    activePeople.map((item) => item.id),
    'postmortems',
    published,
    `${ctx.actor.display_name} published the postmortem of ${incident.key}`,
  )
  return published
}
