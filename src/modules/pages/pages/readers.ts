import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import {
  organizationReaders,
  pagesAbove,
  sharesOn,
  pathToRoot,
  pageTreeRows,
} from './access-tree.ts'

// Readers of a page and of the pages below it, before a change and after it.

type Person = Id<'users'>
type PageId = Id<'pages'>

/** Readers of a page: individuals, and the whole organization for its pages. */
interface Readers {
  isOpenToOrganization: boolean
  people: ReadonlySet<Person>
}

export interface TreeReaders {
  rows: Row<'pages'>[]
  readersByPage: Map<PageId, Readers>
}

/** Current readers of a page and each page below; rights are inherited. */
export async function readersOfTree(
  ctx: ReadContext,
  root: Pick<Row<'pages'>, 'id'>,
): Promise<TreeReaders> {
  const rows = await pageTreeRows(ctx, root.id)
  const above = await pagesAbove(ctx, [root.id])
  const shares = Map.groupBy(
    await sharesOn(ctx, [...new Set([...above.keys(), ...rows.map((row) => row.id)])]),
    (share) => share.page_id,
  )
  const readersByPage = new Map<PageId, ReadonlySet<Person>>()
  for (const node of [...pathToRoot(above, root.id).reverse(), ...rows.slice(1)]) {
    const inheritedReaders = node.parent_id === null ? undefined : readersByPage.get(node.parent_id)
    const directReaders = [
      ...(shares.get(node.id) ?? []).map((share) => share.person_id),
      ...(node.visibility === 'private' ? [node.owner_id] : []),
    ]
    readersByPage.set(node.id, withPeople(inheritedReaders, directReaders))
  }
  return {
    rows,
    readersByPage: new Map(
      rows.map((row) => [
        row.id,
        {
          isOpenToOrganization: row.visibility === 'organization',
          people: withPeople(readersByPage.get(row.id), [row.owner_id]),
        },
      ]),
    ),
  }
}

/** A set with more people; the same set if it contains them: most pages in a tree have their parents' readers. */
function withPeople(
  set: ReadonlySet<Person> | undefined,
  people: readonly Person[],
): ReadonlySet<Person> {
  return set && people.every((person) => set.has(person))
    ? set
    : new Set([...(set ?? []), ...people])
}

/** Pages to which people gained or lost access, by person; of nested pages only the topmost. */
export type PagesByPerson = Map<Person, Row<'pages'>[]>

export interface Difference {
  gained: PagesByPerson
  lost: PagesByPerson
}

async function differenceOf(
  ctx: ReadContext,
  before: TreeReaders,
  after: TreeReaders,
): Promise<Difference> {
  const organization = new Set(await organizationReaders(ctx))
  return {
    gained: gainedPages(before, after, organization),
    lost: gainedPages(after, before, organization),
  }
}

/** Pages that people can read according to the second argument but not according to the first. */
function gainedPages(
  now: TreeReaders,
  then: TreeReaders,
  organization: ReadonlySet<Person>,
): PagesByPerson {
  const pagesByPerson: PagesByPerson = new Map()
  const gainersByPage = new Map<PageId, ReadonlySet<Person>>()
  for (const row of then.rows) {
    const [readersNow, readersThen] = [
      now.readersByPage.get(row.id),
      then.readersByPage.get(row.id)!,
    ]
    const people = new Set(
      [
        ...readersThen.people,
        ...(readersThen.isOpenToOrganization && !readersNow?.isOpenToOrganization
          ? organization
          : []),
      ].filter(
        (person) =>
          !readersNow?.people.has(person) &&
          !(readersNow?.isOpenToOrganization && organization.has(person)),
      ),
    )
    gainersByPage.set(row.id, people)
    const gainersOfParent = row.parent_id === null ? undefined : gainersByPage.get(row.parent_id)
    for (const person of people)
      if (!gainersOfParent?.has(person))
        pagesByPerson.set(person, [...(pagesByPerson.get(person) ?? []), row])
  }
  return pagesByPerson
}

/** Records who gained and lost access to pages by this call. */
function recordAccessChanges(ctx: WriteContext, { gained, lost }: Difference): void {
  for (const [person, rows] of gained)
    for (const row of rows) ctx.access('access_gained', 'pages', row, person)
  for (const [person, rows] of lost)
    for (const row of rows) ctx.access('access_lost', 'pages', row, person)
}

/** All readers of one page. */
export async function pageReaders(ctx: ReadContext, row: Row<'pages'>): Promise<Set<Person>> {
  const above = pathToRoot(await pagesAbove(ctx, [row.id]), row.id)
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

/** Makes a change that affects access to a page and everything below it, and records who gained and lost it. */
export async function changeAccess<T>(
  ctx: WriteContext,
  row: Pick<Row<'pages'>, 'id'>,
  change: () => Promise<T>,
): Promise<{ result: T; difference: Difference }> {
  const before = await readersOfTree(ctx, row)
  const result = await change()
  const difference = await differenceOf(ctx, before, await readersOfTree(ctx, row))
  recordAccessChanges(ctx, difference)
  return { result, difference }
}
