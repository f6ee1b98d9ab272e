import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { ExtensionPoint } from '../../records/extension-point.ts'
import type { ItemTable, Row } from '../../records/resource.ts'

export const handoverKinds = [
  'projects',
  'tasks',
  'teams',
  'goals',
  'key_results',
  'deals',
  'contacts',
  'companies',
  'meetings',
  'action_items',
  'incident_roles',
  'on_call_schedules',
  'on_call_overrides',
  'automations',
  'pages',
] as const
export type HandoverKind = (typeof handoverKinds)[number]

/** An item that a person is responsible for, whether or not the caller sees it. */
export interface HandoverItem {
  table: ItemTable
  id: string
  /** Makes the heir responsible for it. Absent if it stays with the person. */
  transfer?(ctx: WriteContext, heir: Row<'users'>): Promise<void>
}

/** One kind of responsibility of a person that others can take over. */
export interface Handover {
  kind: HandoverKind
  /** Why items of the kind stay with the person, in one sentence. */
  reasonToStay?: string
  listItems(ctx: ReadContext, person: Row<'users'>): Promise<HandoverItem[]>
}

/** Registered by modules for the items that people are responsible for. */
export const handovers = new ExtensionPoint<Handover>()
