import { z } from 'zod'
import { operation } from '../../core/operation.ts'
import { invalid } from '../../core/refusal.ts'
import { person } from '../people/access.ts'
import { incident } from './access.ts'
import { demandActive, giveRole } from './holding.ts'
import { showIncident } from './reading.ts'
import { Incident, roles } from './shapes.ts'

export const assignIncidentRole = operation({
  name: 'assign_incident_role',
  searchHint: 'incident commander, take the lead, who communicates',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/incidents/{incident_id}/roles/{role}',
  about: 'Give a person the lead, communications or scribe role, or free it with a null person',
  on: { incident: incident.edit, person: person.see.clearable.describe('null frees the role') },
  input: { role: z.enum(roles) },
  output: Incident,
  async handle({ incident: row, person: who, role }, ctx) {
    if (who === undefined)
      throw invalid('person_id', 'say who gets the role.', 'Send null to free it.')
    if (who) demandActive(who, 'person_id')
    await giveRole(ctx, row, role, who)
    const now = (await incident.among(ctx, [row.id])).get(row.id) ?? row // who gave their role in a restricted incident away sees it for the last time
    return showIncident(ctx, now)
  },
})
