import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { page, pageShare, publication } from '../../pages/access.ts'
import { readersChanging, variablesIn } from '../../pages/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { task } from '../../tasks/access.ts'
import { holdersOf, servicesOf, timelineEntry } from '../access.ts'
import { administrators, pageOfPostmortem } from './access.ts'
import { statusUpdate } from '../status-page/access.ts'
import { followUps } from '../incidents/follow-ups.ts'
import { defaultText, postmortemValues, type PostmortemFacts } from './text.ts'

type Incident = Row<'incidents'>
type Person = Id<'users'>

const maxEntries = 1000

export interface PostmortemDraft {
  incident: Incident
  author: Row<'users'>
  due: string | undefined
  template: Row<'pages'> | undefined
}

/** Creates a postmortem's page with the known facts, from a template or the default. */
export async function makePostmortemPage(
  ctx: WriteContext,
  draft: PostmortemDraft,
): Promise<Row<'pages'>> {
  const { incident, template } = draft
  const values = postmortemValues(await postmortemFactsOf(ctx, draft))
  const visibility = incident.restricted === 1 ? 'private' : 'organization'
  const title = `Postmortem ${incident.key}: ${incident.title}`.slice(0, 500).toWellFormed()
  const { id } = template
    ? await createFromTemplate(ctx, template, values, visibility, title)
    : await ctx.call<{ id: string }>('create_page', {
        title,
        body_markdown: defaultText(values),
        visibility,
      })
  const created = await page.demand(ctx, id, 'edit', 'incident_id')
  return ctx.change('pages', created, { kind: 'postmortem' })
}

/** Creates the page with only the values that the template uses; others would be refused. */
async function createFromTemplate(
  ctx: WriteContext,
  template: Row<'pages'>,
  values: Readonly<Record<string, string>>,
  visibility: string,
  title: string,
): Promise<{ id: string }> {
  const variableNames = new Set(
    variablesIn(template.title, await readPostmortemText(ctx, template)),
  )
  const variables = Object.fromEntries(
    Object.entries(values).filter(([name]) => variableNames.has(name)),
  )
  const titleInput = variablesIn(template.title).length > 0 ? {} : { title }
  return ctx.call('create_page_from_template', {
    page_id: template.id,
    variables,
    visibility,
    ...titleInput,
  })
}

async function readPostmortemText(ctx: WriteContext, { id }: Row<'pages'>): Promise<string> {
  const parts: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const part: { body_markdown?: string; next_offset?: number } = await ctx.call('get_page', {
      page_id: id,
      offset,
    })
    parts.push(part.body_markdown ?? '')
    offset = part.next_offset
  }
  return parts.join('')
}

async function postmortemFactsOf(
  ctx: WriteContext,
  { incident, author, due }: PostmortemDraft,
): Promise<PostmortemFacts> {
  const holders = await holdersOf(ctx, [incident.id])
  const entries = await timelineEntry
    .of(ctx, [incident.id])
    .selectAll('timeline_entries')
    .orderBy('timeline_entries.occurred_at')
    .orderBy('timeline_entries.id')
    .limit(maxEntries)
    .execute()
  const updates = await statusUpdate
    .visibleTo(ctx)
    .selectAll('status_updates')
    .where('status_updates.incident_id', '=', incident.id)
    .orderBy('status_updates.published_at')
    .orderBy('status_updates.id')
    .limit(maxEntries)
    .execute()
  const people = await peopleRefs(ctx, [
    ...holders.map((row) => row.person_id),
    ...entries.map((entry) => entry.created_by),
  ])
  const holder = (role: 'lead' | 'communications' | 'scribe') =>
    people.get(holders.find((row) => row.role === role)?.person_id ?? '')?.title
  return {
    incident,
    services: ((await servicesOf(ctx, [incident.id])).get(incident.id) ?? []).map(
      (row) => row.name,
    ),
    roles: {
      lead: holder('lead'),
      communications: holder('communications'),
      scribe: holder('scribe'),
    },
    author: author.display_name,
    due,
    timezone: ctx.actor.timezone,
    timeline: entries
      .filter((entry) => entry.kind !== 'update')
      .map((entry) => ({
        at: entry.occurred_at,
        person: people.get(entry.created_by)?.title,
        text: entry.body_markdown,
      })),
    updates: updates.map((update) => ({
      at: update.published_at,
      title: update.title,
      state: update.state,
    })),
    tasks: (await followUps(ctx, incident.id)).map((row) => ({
      key: row.key,
      url: task.url(row, ctx.baseUrl),
    })),
  }
}

/**
 * Shares a postmortem's page with everyone who has access to the incident: for a restricted one its role holders, who
 * may also edit it, and administrators. Called on creation, and when roles or the restriction change.
 */
export async function sharePostmortem(
  ctx: WriteContext,
  incidentRow: Pick<Incident, 'id' | 'restricted'>,
  author?: Person,
): Promise<void> {
  const row = await pageOfPostmortem(ctx, incidentRow.id)
  if (!row) return
  const holders = (await holdersOf(ctx, [incidentRow.id])).map(
    (holder) => holder.person_id as Person,
  )
  const editors = new Set([...holders, ...(author ? [author] : [])])
  const admins =
    incidentRow.restricted === 1
      ? (await administrators(ctx)).map((administrator) => administrator.id)
      : []
  const readers = new Set([...editors, ...admins])
  if (incidentRow.restricted === 1 && row.visibility !== 'private') await unpublish(ctx, row)
  await readersChanging(ctx, row, async () => {
    // Pages below another page are visible to its readers, so a restricted postmortem moves out.
    const parentPatch =
      incidentRow.restricted === 1 && row.parent_id !== null
        ? { parent_id: null, parent_owner_id: null }
        : {}
    const changed = await ctx.change('pages', row, {
      ...parentPatch,
      visibility: incidentRow.restricted === 1 ? 'private' : 'organization',
    })
    const withOwner =
      incidentRow.restricted === 1 && !readers.has(changed.owner_id)
        ? await ctx.change('pages', changed, { owner_id: [...readers][0]! })
        : changed
    await share(ctx, withOwner, editors, readers, incidentRow.restricted === 1)
  })
}

/** Unpublishes pages that only few people may see; the owner of the page can publish it again. */
async function unpublish(ctx: WriteContext, row: Row<'pages'>): Promise<void> {
  for (const item of await publication.of(ctx, [row.id]).selectAll('page_publications').execute())
    await ctx.remove('page_publications', item)
}

async function share(
  ctx: WriteContext,
  row: Row<'pages'>,
  editors: ReadonlySet<Person>,
  readers: ReadonlySet<Person>,
  removeOthers: boolean,
): Promise<void> {
  const existingShares = await pageShare.of(ctx, [row.id]).selectAll('page_shares').execute()
  for (const item of existingShares)
    if (removeOthers && !readers.has(item.person_id)) await ctx.remove('page_shares', item)
  for (const person_id of readers) {
    if (person_id === row.owner_id) continue
    const role = editors.has(person_id) ? 'editor' : 'viewer'
    const existing = existingShares.find((item) => item.person_id === person_id)
    if (!existing) await ctx.add('page_shares', { page_id: row.id, person_id, role })
    else if (role === 'editor') await ctx.change('page_shares', existing, { role })
  }
}
