import { itemTypeOf } from '../../../ui/kinds.ts'

/** Kinds of items that link_items accepts. */
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

/** True if the item with this id can be linked. */
export const isLinkable = (id: string): boolean => linkableKinds.has(itemTypeOf(id) ?? '')
