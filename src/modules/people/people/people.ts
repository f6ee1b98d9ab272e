import { z } from 'zod'
import { paging, pageOf, shortText } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { person, team, teamMember } from '../../directory/access.ts'
import { presentPeople, User } from '../shapes.ts'

export const listPeople = operation({
  name: 'list_people',
  searchHint: 'colleagues, coworkers, staff, employees, users, team directory, who works here',
  kind: 'read',
  rest: 'GET /api/people',
  about: 'People of the organization, filtered by text, team, role or status',
  on: { team: team.see.maybe },
  input: {
    query: shortText(200).optional().describe('part of a name, email address or job title'),
    role: z.enum(['admin', 'member', 'guest']).optional(),
    status: z.enum(['active', 'invited', 'deactivated']).optional().describe('default: all'),
    ...paging,
  },
  output: pageOf(User),
  async handle({ team, query, role, status, limit, cursor }, ctx) {
    let peopleQuery = person.visibleTo(ctx).selectAll('users')
    if (query?.trim())
      peopleQuery = peopleQuery.where(
        containsText(['users.display_name', 'users.email', 'users.title'], query.trim()),
      )
    if (team)
      peopleQuery = peopleQuery.where(
        'users.id',
        'in',
        teamMember.of(ctx, [team.id]).select('team_members.person_id'),
      )
    if (role) peopleQuery = peopleQuery.where('users.role', '=', role)
    if (status) peopleQuery = peopleQuery.where('users.status', '=', status)
    const page = await paged(
      peopleQuery,
      [
        { by: 'users.display_name', as: 'display_name', dir: 'asc' },
        { by: 'users.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentPeople(ctx, page.items))
  },
})

export const getPerson = operation({
  name: 'get_person',
  searchHint: 'who is, boss, manager of, contact details of a colleague, is she around',
  kind: 'read',
  rest: 'GET /api/people/{person_id}',
  about: 'One person by id, email or "me" with teams, manager, timezone and current availability',
  on: { person: person.see },
  output: User,
  async handle({ person: row }, ctx) {
    const [shape] = await presentPeople(ctx, [row])
    return shape!
  },
})
