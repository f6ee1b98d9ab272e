import type { Store } from '../../db/open.ts'
import { daysFrom } from '../days.ts'

/** Ids of one person's things, by type of item; the first of a type is used where one is asked for. */
export type Ids = Record<string, string[]>

/** Calls an operation that must not be refused. */
export type Make = <T = any>(tool: string, args?: Record<string, unknown>) => Promise<T>

/** One of everything that a module has, for tests that hold over the whole catalogue: each text in it bears a word. */
export interface Planter {
  /** Makes things that their maker alone may see (private, own, of the maker's project), beside those of the modules before. `store`: for what comes from outside, where the test has the database. */
  plant(make: Make, say: (what: string) => string, around: Ids, store?: Store): Promise<Ids>
  /** Makes things that everybody in the organization sees. */
  open?(make: Make, say: (what: string) => string): Promise<Ids>
  /** The rows of it in the database, by table: the condition of a query that finds them, with ids as literals. */
  rows?(planted: Ids): Record<string, string>
  /** Calls that name such things inside of objects and lists, where they must not exist for strangers: tool, arguments, type. `own` are the caller's things. */
  inside?(own: Ids, planted: Ids): [tool: string, args: Record<string, unknown>, type: string][]
}

/** What time it is where things are planted: some tests have a clock of their own. */
export async function nowOf(make: Make): Promise<number> {
  return Date.parse((await make('get_me')).now.utc)
}

/** Days counted from that time. */
export async function dayCounter(make: Make): Promise<(days: number) => string> {
  return daysFrom(await nowOf(make))
}

/** Ids as a list of SQL literals. */
export function literals(ids: readonly string[] | undefined): string {
  return (ids ?? []).map((id) => `'${id}'`).join(', ')
}
