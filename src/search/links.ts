// Links between items, read from the items' own tables during a search, so that no link is older than its item.

import { CompiledQuery } from 'kysely'
import type { AccessScope } from '../records/access-scope.ts'
import type { Link } from './worker/protocol.ts'

/** One kind of link in one direction. Parameters: item ids as JSON, then the organization. */
interface LinkQuery {
  kind: string
  /** Strength with which a hit's score passes along the link, 0 to 1. */
  weight: number
  /** Id prefix of the source items; undefined: items of any kind. */
  sourcePrefix: string | undefined
  sql: string
}

/** Maximum number of links of one kind that count for an item. */
const maxLinks = 500

/** The items are first in the join, so that each is looked up in an index. */
const itemsJoin = 'json_each(?) as w cross join'

/** An end of a link: a column, and the prefix of its ids if all are of one kind. */
type LinkEnd = [column: string, prefix?: string]

/** Both directions of a row that refers to two items. */
function bothDirections(
  kind: string,
  table: string,
  end: LinkEnd,
  other: LinkEnd,
  condition = '',
): LinkQuery[] {
  const direction = ([from, prefix]: LinkEnd, [to]: LinkEnd, org: string): LinkQuery => ({
    kind,
    weight: 1,
    sourcePrefix: prefix,
    sql: `select t.${from} as source, t.${to} as target from ${itemsJoin} ${table} as t where t.${from} = w.value and ${org} = ? and t.${to} is not null ${condition} limit ${maxLinks}`,
  })
  return [direction(end, other, `t.org_id || ''`), direction(other, end, 't.org_id')] // `|| ''` keeps the planner from using the index on org_id, since the first column is a key by itself
}

const queries: readonly LinkQuery[] = [
  ...bothDirections('parent', 'tasks', ['id', 'tsk'], ['parent_id', 'tsk']),
  ...bothDirections('depends', 'task_dependencies', ['task_id', 'tsk'], ['other_id', 'tsk']),
  ...bothDirections('source', 'tasks', ['id', 'tsk'], ['source_id']),
  ...bothDirections('parent', 'pages', ['id', 'pag'], ['parent_id', 'pag']),
  ...bothDirections(
    'link',
    'page_links',
    ['page_id', 'pag'],
    ['target_id', 'pag'],
    "and t.kind = 'page'",
  ),
  ...bothDirections('reply', 'messages', ['id', 'msg'], ['thread_root_id', 'msg']),
  ...bothDirections('linked', 'item_links', ['from_id'], ['to_id']),
  ...bothDirections('decision', 'decisions', ['id', 'dec'], ['meeting_id', 'mtg']),
  ...bothDirections('postmortem', 'postmortems', ['incident_id', 'inc'], ['page_id', 'pag']),
  ...bothDirections('company', 'contacts', ['id', 'con'], ['company_id', 'cmp']),
  ...bothDirections('company', 'deals', ['id', 'dea'], ['company_id', 'cmp']),
  ...bothDirections('deal', 'deal_contacts', ['deal_id', 'dea'], ['contact_id', 'con']),
  ...bothDirections('deal', 'interactions', ['id', 'int'], ['deal_id', 'dea']),
  ...bothDirections('company', 'interactions', ['id', 'int'], ['company_id', 'cmp']),
  // other mails of a conversation
  {
    kind: 'reply',
    weight: 1,
    sourcePrefix: 'eml',
    sql: `select a.id as source, b.id as target from ${itemsJoin} emails as a cross join emails as b where a.id = w.value and b.thread_id = a.thread_id and b.id <> a.id and a.org_id = ? limit ${maxLinks}`,
  },
  // an action item becomes a task: the meeting and the task
  {
    kind: 'action',
    weight: 1,
    sourcePrefix: 'mtg',
    sql: `select a.meeting_id as source, t.id as target from ${itemsJoin} action_items as a cross join tasks as t where a.meeting_id = w.value and t.source_id = a.id and a.org_id || '' = ? limit ${maxLinks}`,
  },
  {
    kind: 'action',
    weight: 1,
    sourcePrefix: 'tsk',
    sql: `select t.id as source, a.meeting_id as target from ${itemsJoin} tasks as t cross join action_items as a where t.id = w.value and a.id = t.source_id and t.org_id = ? limit ${maxLinks}`,
  },
]

/**
 * The links of some items of the caller's organization, in both directions, in one statement. The visibility of the
 * linked items was not checked.
 */
export async function linksOf(
  { all, actor }: Pick<AccessScope, 'all' | 'actor'>,
  from: readonly string[],
): Promise<Link[]> {
  const ids = [...new Set(from)]
  const possible = queries.flatMap((query) => {
    const sourceIds =
      query.sourcePrefix === undefined
        ? ids
        : ids.filter((id) => id.startsWith(`${query.sourcePrefix}_`))
    return sourceIds.length === 0 ? [] : [{ query, sourceIds }]
  })
  if (possible.length === 0) return []
  const { rows } = await all.executeQuery<{ number: number; source: string; target: string }>(
    CompiledQuery.raw(
      possible
        .map(
          ({ query }) =>
            `select ${queries.indexOf(query)} as number, source, target from (${query.sql}) as l`,
        )
        .join(' union all '),
      possible.flatMap(({ sourceIds }) => [JSON.stringify(sourceIds), actor.org_id]),
    ),
  )
  return rows.flatMap(({ number, source, target }): Link[] => {
    const query = queries[number]
    return query ? [{ from: source, to: target, kind: query.kind, weight: query.weight }] : []
  })
}
