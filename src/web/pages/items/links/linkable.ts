import { itemTypeOf } from '../../../ui/kinds.ts'

/** Kinds of items that can be linked with each other, as link_items takes them. */
export const linkableKinds: ReadonlySet<string> = new Set([
  'action_item',
  'automation',
  'channel',
  'company',
  'contact',
  'deal',
  'decision',
  'email',
  'entity',
  'event',
  'file',
  'form',
  'goal',
  'incident',
  'interaction',
  'meeting',
  'message',
  'milestone',
  'page',
  'postmortem',
  'project',
  'pulse',
  'runbook',
  'service',
  'sprint',
  'status_update',
  'task',
  'team',
])

/** Whether the item with this id can be linked with others. */
export const isLinkable = (id: string): boolean => linkableKinds.has(itemTypeOf(id) ?? '')
