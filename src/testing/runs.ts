import Database from 'better-sqlite3'

const ways = ['run', 'get', 'all', 'iterate'] as const

/** SQLite statements that this thread ran. */
export interface Runs<T> {
  value: T
  /** The text of each statement, in order. */
  statements: string[]
  /** The statements between each BEGIN and its COMMIT. */
  transactions: string[][]
}

/** Records each prepared statement that this thread runs during `work`. */
export async function recordRuns<T>(work: () => Promise<T>): Promise<Runs<T>> {
  const database = new Database(':memory:')
  const prototype = Object.getPrototypeOf(database.prepare('select 1')) as Record<
    (typeof ways)[number],
    (this: { source: string }, ...values: unknown[]) => unknown
  >
  database.close()
  const originals = ways.map((way) => [way, prototype[way]] as const)
  const statements: string[] = []
  for (const [way, original] of originals)
    prototype[way] = function (...values) {
      statements.push(this.source)
      return original.apply(this, values)
    }
  try {
    const value = await work()
    return { value, statements, transactions: transactionsOf(statements) }
  } finally {
    for (const [way, original] of originals) prototype[way] = original
  }
}

function transactionsOf(statements: readonly string[]): string[][] {
  const transactions: string[][] = []
  let open: string[] | undefined
  for (const text of statements) {
    if (/^begin\b/i.test(text)) open = []
    else if (/^commit\b/i.test(text) && open) {
      transactions.push(open)
      open = undefined
    } else open?.push(text)
  }
  return transactions
}
