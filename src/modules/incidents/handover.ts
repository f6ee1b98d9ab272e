import { itemsOfPerson } from '../directory/access.ts'
import type { Handover } from '../directory/shapes.ts'
import { rolesInOpenIncidents, schedulesWith } from './access-handovers.ts'
import { giveRole } from './incidents/role-changes.ts'
import { layersOf } from './on-call/access.ts'

/** Roles in open incidents, places in on-call rotations, and current or future overrides. */
export const incidentHandovers: readonly Handover[] = [
  {
    kind: 'incident_roles',
    async listItems(ctx, { id }) {
      return (await rolesInOpenIncidents(ctx, id)).map(({ incident, role }) => ({
        table: 'incidents' as const,
        id: incident.id,
        transfer: (write, successor) => giveRole(write, incident, role, successor),
      }))
    },
  },
  {
    kind: 'on_call_schedules',
    async listItems(ctx, { id }) {
      return (await schedulesWith(ctx, id)).map((row) => ({
        table: 'on_call_schedules' as const,
        id: row.id,
        async transfer(write, successor) {
          const layers = layersOf(row).map((layer) => ({
            ...layer,
            people: [
              ...new Set(layer.people.map((person) => (person === id ? successor.id : person))),
            ],
          }))
          await write.change('on_call_schedules', row, { layers_json: JSON.stringify(layers) })
        },
      }))
    },
  },
  {
    kind: 'on_call_overrides',
    listItems: (ctx, { id }) =>
      itemsOfPerson(ctx, 'on_call_overrides', {
        column: 'person_id',
        person: id,
        isRelevant: ({ ends_at }) => ends_at > ctx.now,
      }),
  },
]
