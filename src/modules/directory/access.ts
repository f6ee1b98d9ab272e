import { isAdmin } from '../../kernel/actor.ts'
import { beginsWithWord } from '../../db/text-conditions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { part } from '../../records/part.ts'
import { type Row, type Scoped, resource } from '../../records/resource.ts'
import type { Viewer } from '../../records/access-scope.ts'

/** The organization itself: a single row. Keys have no operations for its settings. */
export const organization = resource('orgs', {
  type: 'organization',
  prefix: 'org',
  see: (s) => s.all.selectFrom('orgs').where('orgs.id', '=', s.actor.org_id),
  title: (row) => row.name,
  path: () => 'organization',
})

/** People: everyone in the organization sees everyone; each changes only their own profile. */
export const person = resource('users', {
  type: 'person',
  approval: { ignore: true },
  prefix: 'usr',
  see: (s) => s.all.selectFrom('users').where('users.org_id', '=', s.actor.org_id),
  edit: (s) => s.all.selectFrom('users').where('users.id', '=', s.actor.id),
  rule: { edit: 'You may change only your own profile.' },
  alias: (query, text, s) => {
    if (text === 'me') return query.where('users.id', '=', s.actor.id)
    return text.includes('@') ? query.where('users.email', '=', text.toLowerCase()) : undefined
  },
  names: {
    columns: ['display_name'],
    partial: withFirstName,
    details: (row) => ({
      email: row.email,
      status: row.status === 'active' ? undefined : row.status,
    }),
  },
  takes: 'id, email address, name or me',
  list: { tool: 'list_people' },
  title: (row) => row.display_name,
  path: (row) => `people/${row.id}`,
})

/** Narrows to active people with a word in their name that begins with the text. */
function withFirstName(query: Scoped<'users'>, text: string): Scoped<'users'> {
  return query
    .where('users.status', '=', 'active')
    .where(beginsWithWord('users.display_name', text))
}

export const team = resource(
  'teams',
  {
    type: 'team',
    approval: { ignore: true },
    prefix: 'tea',
    see: (s) => s.all.selectFrom('teams').where('teams.org_id', '=', s.actor.org_id),
    edit: (s) => {
      const teams = s.all.selectFrom('teams').where('teams.org_id', '=', s.actor.org_id)
      if (isAdmin(s.actor)) return teams
      const ledTeamIds = s.all
        .selectFrom('team_members')
        .select('team_id')
        .where('person_id', '=', s.actor.id)
        .where('role', '=', 'lead')
      return teams.where('teams.id', 'in', ledTeamIds)
    },
    own: (s) => {
      const teams = s.all.selectFrom('teams').where('teams.org_id', '=', s.actor.org_id)
      return isAdmin(s.actor) ? teams : teams.where('teams.id', 'in', [])
    },
    rule: {
      edit: 'Only the team lead or an administrator may change this team.',
      own: 'Only administrators may delete teams.',
    },
    names: { columns: ['name'], unique: true },
    list: { tool: 'list_teams' },
    title: (row) => row.name,
    path: (row) => `teams/${row.id}`,
  },
  { trash: true },
)

export const teamMember = part('team_members', {
  table: 'teams',
  by: 'team_id',
  unique: ['team_id', 'person_id'],
  field: 'members',
  value: (row) => ({ person: row.person_id, role: row.role }),
  touch: 'revision',
})

/** Absences: everyone sees the dates; only the person sees the note and the kind `sick` (shapes.ts hides them). */
export const timeOff = resource(
  'time_off',
  {
    type: 'time_off',
    prefix: 'off',
    see: (s) => s.all.selectFrom('time_off').where('time_off.org_id', '=', s.actor.org_id),
    edit: (s) => s.all.selectFrom('time_off').where('time_off.person_id', '=', s.actor.id),
    own: (s) => s.all.selectFrom('time_off').where('time_off.person_id', '=', s.actor.id),
    rule: {
      edit: 'You may change only your own time off.',
      own: 'You may cancel only your own time off.',
    },
    title: (row) => `${row.starts_on} to ${row.ends_on}`,
    path: (row) => `time-off/${row.id}`,
    unaudited: ['note', 'kind'],
  },
  { trash: true },
)

/** Number of days for which the organization keeps trashed items. */
export async function trashDaysOf(viewer: Viewer): Promise<number> {
  const { trash_days } = await organization
    .visibleTo(viewer)
    .select('orgs.trash_days')
    .executeTakeFirstOrThrow()
  return trash_days
}

/** People with this name, or with this first name if it is unique, except deactivated ones. */
export async function colleaguesByName(reader: Viewer, text: string): Promise<Row<'users'>[]> {
  const matches = await person.named(reader, text, {
    among: (rows) => rows.where('users.status', '<>', 'deactivated'),
  })
  return matches.filter((row) => row.status !== 'deactivated')
}

/**
 * The refusal for a name that is unknown in the organization, with similar names; for arguments
 * that also accept external people.
 */
export async function unknownPersonRefusal(
  viewer: Viewer,
  text: string,
  field: string,
): Promise<Refusal> {
  const candidates = await person.candidates(viewer, await person.alike(viewer, text))
  return new Refusal(
    'invalid_argument',
    `${field}: no person in the organization matches ${JSON.stringify(text)}.`,
    {
      field,
      hint: 'Send an id, me, an email address, or "Name <address>" for someone outside the organization.',
      errors: [
        { path: field, message: `no person in the organization matches ${JSON.stringify(text)}.` },
      ],
      next: { tool: 'list_people', arguments: {} },
      ...(candidates.length > 0 && { context: { candidates } }),
    },
  )
}

export { itemsOfPerson, rowsOfPerson } from './access-handovers.ts'
