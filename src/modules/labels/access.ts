import { sql, type Expression, type SqlBool } from 'kysely'
import { ExtensionPoint } from '../../records/extension-point.ts'
import type { Id } from '../../kernel/ids.ts'
import { extend } from '../../records/resource-extensions.ts'
import { resource } from '../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { anyOf } from '../../db/text-conditions.ts'

/** Labels: the organization's; maintained by everyone but guests. */
export const label = resource(
  'labels',
  {
    type: 'label',
    approval: { ignore: true },
    prefix: 'lbl',
    see: (s) => s.all.selectFrom('labels').where('labels.org_id', '=', s.actor.org_id),
    edit: (s) => {
      const labels = s.all.selectFrom('labels').where('labels.org_id', '=', s.actor.org_id)
      return s.actor.role === 'guest' ? labels.where('labels.created_by', '=', s.actor.id) : labels
    },
    own: (s) => {
      const labels = s.all.selectFrom('labels').where('labels.org_id', '=', s.actor.org_id)
      return s.actor.role === 'guest' ? labels.where('labels.created_by', '=', s.actor.id) : labels
    },
    rule: {
      edit: 'Guests may change only labels they created.',
      own: 'Guests may delete only labels they created.',
    },
    names: { columns: ['name'], unique: true },
    list: { tool: 'list_labels' },
    title: (row) => row.name,
    path: (row) => `labels/${row.id}`,
  },
  { trash: true },
)

extend(label, 'undo', {
  isInUse: isLabelInUse,
})

/** Item types with labels, as used in answers. */
export const labelledTypes = ['task', 'page', 'contact', 'file'] as const

/** Items with labels: registered by their module. */
interface LabelledItems {
  type: (typeof labelledTypes)[number]
  items: { table: string; holds: (viewer: Viewer, column: string) => Expression<SqlBool> }
  /** Table linking labels to them. */
  links: { table: string; definition: { by: string } }
  /** True if use on trashed items does not prevent undoing the creation of a label. */
  freesInTrash?: true
}

export const labelledItems = new ExtensionPoint<LabelledItems>()

/** Number of visible items of one kind with each of these labels. */
export async function countUses(
  viewer: Viewer,
  { items, links }: LabelledItems,
  ids: readonly Id<'labels'>[],
): Promise<{ label_id: string; count: number }[]> {
  const column = (name: string) => sql.ref(`${links.table}.${name}`)
  const isVisible = items.holds(viewer, `${links.table}.${links.definition.by}`)
  const { rows } = await sql<{ label_id: string; count: number }>`
    select ${column('label_id')}, count(*) as count from ${sql.table(links.table)}
    where ${column('label_id')} in (${sql.join(ids)}) and ${isVisible} group by ${column('label_id')}`.execute(
    accessScopeOf(viewer).all,
  )
  return rows
}

/** Whether a label is used on a visible item of a type. */
export function isUsedOn(reader: Viewer, type: LabelledItems['type']): Expression<SqlBool> {
  const conditions = labelledItems.entries
    .filter((entry) => entry.type === type)
    .map(({ items, links }) => {
      const isVisible = items.holds(reader, `${links.table}.${links.definition.by}`)
      return sql<SqlBool>`exists (select 1 from ${sql.table(links.table)} where ${sql.ref(`${links.table}.label_id`)} = labels.id and ${isVisible})`
    })
  return anyOf(conditions)
}

async function isLabelInUse(id: string, { all }: AccessScope): Promise<boolean> {
  for (const { items, links, freesInTrash } of labelledItems.entries) {
    const item = sql.ref(`${links.table}.${links.definition.by}`)
    const itemExists = freesInTrash
      ? sql`exists (select 1 from ${sql.table(items.table)} as item where item.id = ${item} and item.deleted_at is null)`
      : sql`true`
    const { rows } =
      await sql`select 1 from ${sql.table(links.table)} where label_id = ${id} and ${itemExists} limit 1`.execute(
        all,
      )
    if (rows.length > 0) return true
  }
  return false
}
