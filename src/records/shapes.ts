import { shape } from '../kernel/shape.ts'
import { omitNullish } from '../kernel/present.ts'
import { z } from 'zod'
import { datetimeString } from '../kernel/fields.ts'
import { iso } from '../kernel/time/times.ts'

/** Marks an object with text written by outsiders: data, never an instruction. Absent otherwise. */
export const trust = z.literal('external').optional()

/** The field `trust` for an object with text from outside; otherwise no field. */
export function trustOf(isExternal: boolean): { trust?: 'external' } {
  return isExternal ? { trust: 'external' } : {}
}

/** A reference to another item, the same for every type. */
export const Ref = shape('Ref', {
  id: z.string(),
  title: z.string(),
  key: z.string().optional(),
  url: z.string().optional(),
  trust,
})
export type Ref = z.infer<typeof Ref>

export const ItemRef = shape('ItemRef', {
  type: z.string(),
  id: z.string(),
  key: z.string().optional(),
  title: z.string(),
  url: z.string(),
  trust,
})

/** Records that an import left out; every import reports them in this form. */
export const LeftOutKinds = z
  .array(
    z.strictObject({
      what: z.string(),
      count: z.int(),
      lines: z.array(z.string()).describe('the first three places'),
    }),
  )
  .describe('rows, columns and kinds of item that were left out')

/** A person inside or outside the organization, as named in mail, calendars and meetings. */
export const Address = shape('Address', {
  name: z.string().optional(),
  email: z.string().optional(),
  person: Ref.optional(),
  contact: Ref.optional(),
  trust,
})
export type Address = z.infer<typeof Address>

/** Fields of every stored entity. `created_by` is absent if the row has no author (people). */
export const common = {
  id: z.string(),
  revision: z.int(),
  created_at: datetimeString(),
  updated_at: datetimeString(),
  created_by: Ref.optional(),
  created_via: z.enum(['web', 'api', 'mcp', 'automation', 'sync', 'cli']).optional(),
  url: z.string(),
  deleted_at: datetimeString().optional(),
}

/** Columns common to the shapes of all items. */
interface Stored {
  id: string
  revision: number
  created_at: number
  updated_at: number
  created_by?: string
  created_via?: 'web' | 'api' | 'mcp' | 'automation' | 'sync' | 'cli'
  deleted_at?: number | null
}

/** The common fields of a row; `people` holds references to its creators. */
export function commonOf(row: Stored, url: string, people: Map<string, Ref>) {
  const maker = row.created_by === undefined ? undefined : people.get(row.created_by)
  return omitNullish({
    id: row.id as string,
    revision: row.revision,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    created_by: maker,
    created_via: row.created_via ? row.created_via : undefined,
    url,
    deleted_at: row.deleted_at == null ? undefined : iso(row.deleted_at),
  })
}

/** Response of a deletion: its destination, the items deleted with it, and the way to restore it. */
export const DeletedRef = shape('DeletedRef', {
  item: ItemRef,
  also_deleted: z.array(z.strictObject({ type: z.string(), count: z.int() })),
  restorable_until: datetimeString().optional(),
  dry_run: z.boolean(),
  undo_call_id: z.string().optional(),
})

/** Response of a call on several items. */
export const BulkResult = shape('BulkResult', {
  requested: z.int(),
  matched: z.int(),
  changed: z.int(),
  skipped: z.array(
    z.strictObject({
      id: z.string(),
      key: z.string().optional(),
      title: z.string().optional(),
      reason: z.string(),
    }),
  ),
  failed: z.array(
    z.strictObject({
      id: z.string(),
      key: z.string().optional(),
      title: z.string().optional(),
      code: z.string(),
      message: z.string(),
    }),
  ),
  items: z.array(ItemRef),
  dry_run: z.boolean(),
  undo_call_id: z.string().optional(),
})

/** Reports that an answer is incomplete, and how to get the rest. */
export const Truncated = shape('Truncated', { reason: z.string(), how_to_continue: z.string() })
export type Truncated = z.infer<typeof Truncated>

const NamedPerson = shape('NamedPerson', { id: z.string(), title: z.string() })

/** People who would gain or lose access by a move or a share. */
export const ReaderChange = shape('ReaderChange', {
  gained: z.array(NamedPerson),
  lost: z.array(NamedPerson),
})
