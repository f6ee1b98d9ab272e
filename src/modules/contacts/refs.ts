import type { ReadContext } from '../../operations/context.ts'
import type { Row } from '../../records/resource.ts'
import { type Ref, trustOf } from '../../records/shapes.ts'
import { company, contact, deal } from './access.ts'

type Ids = Iterable<string | null | undefined>

const withoutNullish = (ids: Ids): string[] => [...ids].filter((id) => id != null)

/** A reference to a contact or deal. */
export function contactRef(
  row: Pick<Row<'contacts' | 'deals'>, 'name' | 'trust'> & { id: string },
): Ref {
  return { id: row.id, title: row.name, ...trustOf(row.trust === 'external') }
}

/** References to contacts that the caller can see, by id; ids of merged contacts resolve to the surviving one. */
export async function contactRefs(ctx: ReadContext, ids: Ids): Promise<Map<string, Ref>> {
  return new Map(
    [...(await contact.among(ctx, withoutNullish(ids)))].map(([id, row]) => [id, contactRef(row)]),
  )
}

/** References to companies that the caller sees, by id. */
export async function companyRefs(ctx: ReadContext, ids: Ids): Promise<Map<string, Ref>> {
  return new Map(
    [...(await company.among(ctx, withoutNullish(ids)))].map(([id, row]) => [
      id,
      { id, title: row.name },
    ]),
  )
}

/** References to deals that the caller sees, by id. */
export async function dealRefs(ctx: ReadContext, ids: Ids): Promise<Map<string, Ref>> {
  return new Map(
    [...(await deal.among(ctx, withoutNullish(ids)))].map(([id, row]) => [id, contactRef(row)]),
  )
}

/** A result field with a reference; no field if the reference is absent. */
export function refIn<N extends string>(
  name: N,
  refs: ReadonlyMap<string, Ref>,
  id: string | null | undefined,
): { [K in N]?: Ref } {
  const ref = id == null ? undefined : refs.get(id)
  return (ref ? { [name]: ref } : {}) as { [K in N]?: Ref }
}
