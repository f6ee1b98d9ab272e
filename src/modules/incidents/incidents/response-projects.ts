import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { isKeyTaken, isMember, project, projectMember } from '../../portfolio/access.ts'
import { holdersOf } from '../access.ts'
import { administrators } from '../postmortems/access.ts'
import { projectFor } from '../runbooks/access.ts'

type Incident = Row<'incidents'>
type Person = Id<'users'>

/**
 * The project for an incident's tasks, with its responders as members: one for the whole organization, created when
 * first needed, and a separate one per restricted incident, whose tasks must stay hidden from others.
 */
export async function projectOf(
  ctx: WriteContext,
  incident: Incident,
  additionalPeople: readonly Person[],
): Promise<Row<'projects'>> {
  const restrictedIncidentId = incident.restricted === 1 ? incident.id : null
  const projectRow =
    (await projectFor(ctx, restrictedIncidentId)) ??
    (await createResponseProject(ctx, incident, restrictedIncidentId))
  const holders = (await holdersOf(ctx, [incident.id])).map((holder) => holder.person_id as Person)
  for (const person of new Set([ctx.actor.id, ...holders, ...additionalPeople]))
    await ensureMember(ctx, projectRow, person)
  return projectRow
}

async function createResponseProject(
  ctx: WriteContext,
  incidentRow: Incident,
  incidentId: Incident['id'] | null,
): Promise<Row<'projects'>> {
  const isForIncident = incidentId !== null
  const key = await freeKey(ctx, isForIncident ? `IR${incidentRow.key.replace(/\D/g, '')}` : 'IR')
  const { id } = await ctx.call<{ id: string }>('create_project', {
    name: isForIncident ? `Response to ${incidentRow.key}` : 'Incident response',
    key,
    description_markdown: isForIncident
      ? 'Steps of runbooks.'
      : 'Steps of runbooks started in incidents. People who work on an incident are added automatically.',
  })
  const projectRow = await project.demand(ctx, id, 'see', 'incident_id')
  await ctx.add('response_projects', { project_id: projectRow.id, incident_id: incidentId })
  return projectRow
}

/** The preferred key, with a suffix if it is taken. INC itself is reserved for incidents. */
async function freeKey(ctx: WriteContext, preferredKey: string): Promise<string> {
  for (let n = 1; ; n++) {
    const key = n === 1 ? preferredKey : `${preferredKey}X${n}`
    if (!(await isKeyTaken(ctx, key))) return key
  }
}

/** Responders of an incident automatically become members of its task project. */
async function ensureMember(
  ctx: WriteContext,
  projectRow: Row<'projects'>,
  personId: Person,
): Promise<void> {
  if (await isMember(ctx, projectRow.id, personId)) return
  await ctx.add('project_members', {
    project_id: projectRow.id,
    person_id: personId,
    role: 'member',
  })
  ctx.event('project.member_added', 'projects', projectRow)
  if (personId === ctx.actor.id) return
  ctx.access('access_gained', 'projects', projectRow, personId)
  ctx.notify(
    'invite',
    [personId],
    'projects',
    projectRow,
    `${ctx.actor.display_name} added you to ${projectRow.key}`,
  )
}

/** A restricted incident's project is for its role holders: called when roles change. */
export async function syncProjectMembers(
  ctx: WriteContext,
  incident: Pick<Incident, 'id' | 'restricted'>,
): Promise<void> {
  const projectRow =
    incident.restricted === 1 ? await projectFor(ctx, incident.id as Incident['id']) : undefined
  if (!projectRow) return
  const holders = new Set(
    (await holdersOf(ctx, [incident.id])).map((holder) => holder.person_id as string),
  )
  for (const person of holders) await ensureMember(ctx, projectRow, person as Person)
  await transferLead(ctx, incident, projectRow, holders)
  for (const member of await membersOf(ctx, projectRow)) {
    if (holders.has(member.person_id) || member.role === 'lead') continue
    await ctx.remove('project_members', member)
    ctx.access('access_lost', 'projects', projectRow, member.person_id)
  }
}

function membersOf(ctx: WriteContext, { id }: Row<'projects'>): Promise<Row<'project_members'>[]> {
  return projectMember.of(ctx, [id]).selectAll('project_members').execute()
}

/**
 * The person who started the first runbook leads the project; if they lose access to the incident, its lead does, or
 * another role holder.
 */
async function transferLead(
  ctx: WriteContext,
  incident: Pick<Incident, 'id'>,
  projectRow: Row<'projects'>,
  holders: ReadonlySet<string>,
): Promise<void> {
  const currentLead = (await membersOf(ctx, projectRow)).find((member) => member.role === 'lead')
  const admins = (await administrators(ctx)).map((administrator) => administrator.id as string)
  if (!currentLead || holders.has(currentLead.person_id) || admins.includes(currentLead.person_id))
    return
  const lead = (await holdersOf(ctx, [incident.id])).find(
    (holder) => holder.role === 'lead',
  )?.person_id
  const newLead = lead ?? [...holders, ...admins][0]
  if (newLead === undefined) return
  await ensureMember(ctx, projectRow, newLead as Person)
  await ctx.changePart('project_members', currentLead, { role: 'member' })
  await ctx.changePart(
    'project_members',
    (await membersOf(ctx, projectRow)).find((member) => member.person_id === newLead)!,
    { role: 'lead' },
  )
}
