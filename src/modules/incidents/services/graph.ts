import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { service, serviceDependency } from '../access.ts'

type Service = Row<'services'>

/**
 * Service dependencies are acyclic; those in the trash count, since they may be restored.
 * @throws Refusal conflict naming the cycle
 */
export async function requireNoCycle(ctx: ReadContext, row: Service, on: Service): Promise<void> {
  if (row.id === on.id)
    throw new Refusal('conflict', `${row.name} cannot depend on itself.`, {
      field: 'depends_on_ids',
    })
  const way = await wayFrom(ctx, on.id, row.id)
  if (!way) return
  const names = await service.among(ctx, way)
  throw new Refusal(
    'conflict',
    `${on.name} already depends on ${row.name}: ${way.map((id) => names.get(id)?.name ?? '…').join(' → ')}.`,
    { field: 'depends_on_ids', hint: 'Remove one of these dependencies first.' },
  )
}

/** Service ids on the shortest dependency path. */
async function wayFrom(
  ctx: ReadContext,
  from: Id<'services'>,
  to: Id<'services'>,
): Promise<string[] | undefined> {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  for (let edge: Id<'services'>[] = [from]; edge.length > 0; ) {
    const next = await serviceDependency
      .of(ctx, edge)
      .select(['service_dependencies.service_id', 'service_dependencies.depends_on_id'])
      .execute()
    edge = []
    for (const { service_id, depends_on_id } of next) {
      if (cameFrom.has(depends_on_id)) continue
      cameFrom.set(depends_on_id, service_id)
      if (depends_on_id === to) return walked(cameFrom, to)
      edge.push(depends_on_id as Id<'services'>)
    }
  }
  return undefined
}

function walked(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const way: string[] = []
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) way.unshift(id)
  return way
}
