import { z } from 'zod'
import { operation } from '../../../operations/operation.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { person } from '../../directory/access.ts'
import { incident } from '../access.ts'
import { requireActiveResponder, giveRole } from './role-changes.ts'
import { presentIncident } from './presenter.ts'
import { Incident, roles } from '../shapes.ts'

export const assignIncidentRole = operation({
  name: 'assign_incident_role',
  searchHint: 'incident commander, take the lead, who communicates',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/incidents/{incident_id}/roles/{role}',
  about: 'Give a person the lead, communications or scribe role, or clear it with null',
  on: { incident: incident.edit, person: person.see.clearable.describe('null clears it') },
  input: { role: z.enum(roles) },
  output: Incident,
  async handle({ incident: row, person: who, role }, ctx) {
    if (who === undefined)
      throw invalid('person_id', 'specify who gets the role.', 'Send null to clear the role.')
    if (who) requireActiveResponder(who, 'person_id')
    await giveRole(ctx, row, role, who)
    const current = (await incident.among(ctx, [row.id])).get(row.id) ?? row // a person who gave away their role in a restricted incident still gets this response
    return presentIncident(ctx, current)
  },
})
