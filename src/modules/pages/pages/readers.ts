import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { organizationReaders, pagesAbove, sharesOn, wayUp, wholeTree } from './access-tree.ts'

// Readers of a page and of the pages below it, before a change and after it.

type Person = Id<'users'>
type PageId = Id<'pages'>

/** Readers of a page: individuals, and the whole organization for its pages. */
interface Readers {
  open: boolean
  named: ReadonlySet<Person>
}

export interface TreeReaders {
  rows: Row<'pages'>[]
  by: Map<PageId, Readers>
}

/** Current readers of a page and each page below; rights are inherited. */
export async function readersOfTree(
  ctx: ReadContext,
  root: Pick<Row<'pages'>, 'id'>,
): Promise<TreeReaders> {
  const rows = await wholeTree(ctx, root.id)
  const above = await pagesAbove(ctx, [root.id])
  const shares = Map.groupBy(
    await sharesOn(ctx, [...new Set([...above.keys(), ...rows.map((row) => row.id)])]),
    (share) => share.page_id,
  )
  const readersByPage = new Map<PageId, ReadonlySet<Person>>()
  for (const node of [...wayUp(above, root.id).reverse(), ...rows.slice(1)]) {
    const handed = node.parent_id === null ? undefined : readersByPage.get(node.parent_id)
    const directReaders = [
      ...(shares.get(node.id) ?? []).map((share) => share.person_id),
      ...(node.visibility === 'private' ? [node.owner_id] : []),
    ]
    readersByPage.set(node.id, extended(handed, directReaders))
  }
  return {
    rows,
    by: new Map(
      rows.map((row) => [
        row.id,
        {
          open: row.visibility === 'organization',
          named: extended(readersByPage.get(row.id), [row.owner_id]),
        },
      ]),
    ),
  }
}

/** The same set if nothing is added: most pages in a tree have their parents' readers. */
function extended(
  set: ReadonlySet<Person> | undefined,
  more: readonly Person[],
): ReadonlySet<Person> {
  return set && more.every((person) => set.has(person)) ? set : new Set([...(set ?? []), ...more])
}

/** By person, pages to which they gained or lost access, only the topmost of nested ones. */
export type Turned = Map<Person, Row<'pages'>[]>

export interface Difference {
  gained: Turned
  lost: Turned
}

async function differenceOf(
  ctx: ReadContext,
  before: TreeReaders,
  after: TreeReaders,
): Promise<Difference> {
  const everybody = new Set(await organizationReaders(ctx))
  return { gained: turned(before, after, everybody), lost: turned(after, before, everybody) }
}

/** Pages that people can read according to `then` but not according to `now`. */
function turned(now: TreeReaders, then: TreeReaders, everybody: ReadonlySet<Person>): Turned {
  const pagesByPerson: Turned = new Map()
  const pages = new Map<PageId, ReadonlySet<Person>>()
  for (const row of then.rows) {
    const [a, b] = [now.by.get(row.id), then.by.get(row.id)!]
    const people = new Set(
      [...b.named, ...(b.open && !a?.open ? everybody : [])].filter(
        (person) => !a?.named.has(person) && !(a?.open && everybody.has(person)),
      ),
    )
    pages.set(row.id, people)
    const over = row.parent_id === null ? undefined : pages.get(row.parent_id)
    for (const person of people)
      if (!over?.has(person)) pagesByPerson.set(person, [...(pagesByPerson.get(person) ?? []), row])
  }
  return pagesByPerson
}

/** Records who gained and lost access to pages by this call. */
function notifyAccess(ctx: WriteContext, { gained, lost }: Difference): void {
  for (const [person, rows] of gained)
    for (const row of rows) ctx.access('access_gained', 'pages', row, person)
  for (const [person, rows] of lost)
    for (const row of rows) ctx.access('access_lost', 'pages', row, person)
}

/** All readers of one page. */
export async function pageReaders(ctx: ReadContext, row: Row<'pages'>): Promise<Set<Person>> {
  const above = wayUp(await pagesAbove(ctx, [row.id]), row.id)
  const shares = await sharesOn(
    ctx,
    above.map((pageNode) => pageNode.id),
  )
  const owners = above.flatMap((pageNode) =>
    pageNode.visibility === 'private' ? [pageNode.owner_id] : [],
  )
  return new Set([
    row.owner_id,
    ...owners,
    ...shares.map((share) => share.person_id),
    ...(row.visibility === 'organization' ? await organizationReaders(ctx) : []),
  ])
}

/** Makes a change that affects access to a page and everything below it, and records for whom. */
export async function changeAccess<T>(
  ctx: WriteContext,
  row: Pick<Row<'pages'>, 'id'>,
  change: () => Promise<T>,
): Promise<{ result: T; difference: Difference }> {
  const before = await readersOfTree(ctx, row)
  const result = await change()
  const difference = await differenceOf(ctx, before, await readersOfTree(ctx, row))
  notifyAccess(ctx, difference)
  return { result, difference }
}
