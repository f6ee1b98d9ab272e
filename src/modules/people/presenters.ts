import { presenter } from '../../operations/listing/presenters.ts'
import { organization, person, team, timeOff } from '../directory/access.ts'
import { presentOrganization, presentPeople, presentTeams, presentTimeOff } from './shapes.ts'

export const peoplePresenters = [
  presenter(person, {
    operation: 'list_people',
    entries: presentPeople,
    get: { operation: 'get_person', argument: 'person_id' },
  }),
  presenter(team, { operation: 'list_teams', entries: presentTeams }),
  presenter(timeOff, { operation: 'list_time_off', entries: presentTimeOff }),
  presenter(organization, {
    operation: 'get_organization',
    entries: (ctx, rows) => rows.map((row) => presentOrganization(ctx, row)),
  }),
]
