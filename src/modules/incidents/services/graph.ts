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
export async function requireNoCycle(
  ctx: ReadContext,
  row: Service,
  dependency: Service,
): Promise<void> {
  if (row.id === dependency.id)
    throw new Refusal('conflict', `${row.name} cannot depend on itself.`, {
      field: 'depends_on_ids',
    })
  const path = await dependencyPath(ctx, dependency.id, row.id)
  if (!path) return
  const names = await service.among(ctx, path)
  throw new Refusal(
    'conflict',
    `${dependency.name} already depends on ${row.name}: ${path.map((id) => names.get(id)?.name ?? '…').join(' → ')}.`,
    { field: 'depends_on_ids', hint: 'Remove one of these dependencies first.' },
  )
}

/** Service ids on the shortest dependency path. */
async function dependencyPath(
  ctx: ReadContext,
  from: Id<'services'>,
  to: Id<'services'>,
): Promise<string[] | undefined> {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]])
  for (let frontier: Id<'services'>[] = [from]; frontier.length > 0; ) {
    const next = await serviceDependency
      .of(ctx, frontier)
      .select(['service_dependencies.service_id', 'service_dependencies.depends_on_id'])
      .execute()
    frontier = []
    for (const { service_id, depends_on_id } of next) {
      if (cameFrom.has(depends_on_id)) continue
      cameFrom.set(depends_on_id, service_id)
      if (depends_on_id === to) return pathTo(cameFrom, to)
      frontier.push(depends_on_id as Id<'services'>)
    }
  }
  return undefined
}

function pathTo(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const path: string[] = []
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) path.unshift(id)
  return path
}
