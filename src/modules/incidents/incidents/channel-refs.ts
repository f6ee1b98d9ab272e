import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { ItemRef } from '../../../records/resource.ts'
import type { Ref } from '../../../records/shapes.ts'
import { incident, incidentChannel } from '../access.ts'
import { incidentRef } from '../shapes.ts'

/** Incidents of channels, if visible to the caller. */
export async function incidentsOfChannels(
  ctx: ReadContext,
  ids: readonly Id<'channels'>[],
): Promise<Map<string, Ref>> {
  const channelLinks =
    ids.length === 0
      ? []
      : await incidentChannel.of(ctx, ids, 'channel_id').selectAll('incident_channels').execute()
  const rows = await incident.among(
    ctx,
    channelLinks.map((item) => item.incident_id),
  )
  return new Map(
    channelLinks.flatMap(({ channel_id, incident_id }) => {
      const row = rows.get(incident_id)
      if (!row) return []
      return [[channel_id, { ...incidentRef(row), url: incident.url(row, ctx.baseUrl) }] as const]
    }),
  )
}

/** INC-7 is always an incident, even if a project has such task keys. */
export async function incidentsByKey(
  ctx: ReadContext,
  keys: readonly string[],
): Promise<[string, ItemRef][]> {
  const incidentKeys = [...new Set(keys)].filter((key) => key.startsWith('INC-'))
  if (incidentKeys.length === 0) return []
  const rows = await incident
    .visibleTo(ctx)
    .selectAll('incidents')
    .where('incidents.org_id', '=', ctx.actor.org_id)
    .where('incidents.key', 'in', incidentKeys)
    .execute()
  return rows.map((row) => [row.key, incident.ref(row, ctx.baseUrl)])
}
