import type { SqlText } from '../db/connection.ts'
import { hashOfLine, isGenuine, parseHead, type Head } from './heads.ts'
import { readLines } from './lines.ts'
import { firstHash } from './record.ts'

/** Result of comparing the signed heads in one file with the chains in the database. */
export interface AnchorReport {
  file: string
  heads: number
  /** Lines that are not valid heads, for example cut short by a crash. */
  unreadable: number
  /** The newest valid head. */
  newest?: { at: string; seq: number; org_id: string }
  /** Number of restored backups; heads signed beyond their end are no longer expected. */
  restored: number
  broken: { org_id: string; why: string }[]
}

/**
 * Compares the heads in a file with the chains. A server may sign, seal and delete entries meanwhile, so the database
 * is read after the heads.
 * @param readKeys reads the public keys whose signatures count
 */
export async function checkAnchor(
  db: SqlText,
  file: string,
  readKeys: () => readonly string[],
): Promise<AnchorReport> {
  const lines = readLines(file)
  const heads = lines.flatMap(parseHead)
  const report: AnchorReport = {
    file,
    heads: heads.length,
    unreadable: lines.length - heads.length,
    restored: heads.filter((head) => head.event === 'restored').length,
    broken: [],
  }
  const forged = findAnchorBreak(lines, readKeys())
  if (forged) report.broken.push(forged)
  const expectedByOrg = findExpectedHeads(heads)
  for (const [org_id, orgHeads] of expectedByOrg) {
    const why = await findChainBreak(db, org_id, orgHeads)
    if (why) report.broken.push({ org_id, why })
  }
  const newest = report.broken.length === 0 ? heads.at(-1) : undefined
  return newest
    ? { ...report, newest: { at: newest.at, seq: newest.seq, org_id: newest.org_id } }
    : report
}

/** The first line without a signature by a valid key, or with a missing predecessor. */
function findAnchorBreak(
  lines: readonly string[],
  keys: readonly string[],
): AnchorReport['broken'][number] | undefined {
  const knownHashes = new Set([firstHash])
  for (const [i, line] of lines.entries()) {
    for (const head of parseHead(line)) {
      const { org_id } = head
      if (!keys.includes(head.key))
        return { org_id, why: `line ${i + 1} is signed with an unknown key (${head.key})` }
      if (!isGenuine(head))
        return { org_id, why: `line ${i + 1} was changed: its signature is invalid` }
      if (!knownHashes.has(head.prev))
        return {
          org_id,
          why: `line ${i + 1} does not follow any line before it: lines were removed`,
        }
    }
    knownHashes.add(hashOfLine(line))
  }
  return undefined
}

/**
 * Heads that must be found, by organization: heads beyond a backup that was restored later are gone, and recorded as
 * such.
 */
function findExpectedHeads(heads: readonly Head[]): Map<string, Head[]> {
  const headsByOrg = new Map<string, Head[]>()
  for (const head of heads) {
    const earlierHeads = headsByOrg.get(head.org_id) ?? []
    headsByOrg.set(head.org_id, [
      ...(head.event === 'restored'
        ? earlierHeads.filter((item) => item.seq <= head.seq)
        : earlierHeads),
      head,
    ])
  }
  return headsByOrg
}

async function findChainBreak(
  db: SqlText,
  org_id: string,
  heads: readonly Head[],
): Promise<string | undefined> {
  const readSeq = async (sql: string) => (await db.one<{ seq: number }>(sql, org_id))?.seq ?? 0
  const last = await readSeq('SELECT coalesce(max(seq), 0) AS seq FROM calls WHERE org_id = ?')
  // Read only once an entry is missing: it may have been sealed and deleted meanwhile.
  const isSealed = async (seq: number) =>
    seq <=
    (await readSeq('SELECT coalesce(max(through_seq), 0) AS seq FROM call_seals WHERE org_id = ?'))
  for (const { at, seq, hash } of heads) {
    if (seq > last)
      return `the log was cut off: it ended with entry ${seq} at ${at}, and ends with entry ${last} now`
    const storedHash = await hashAt(db, org_id, seq)
    if (storedHash === undefined && !(await isSealed(seq)))
      return `entry ${seq}, which was signed at ${at}, is missing`
    if (storedHash !== undefined && storedHash !== hash)
      return `entry ${seq} is not the one that was signed at ${at}: the log was rewritten`
  }
  return undefined
}

/** The hash of an entry, or of the seal that names it. */
async function hashAt(db: SqlText, org_id: string, seq: number): Promise<string | undefined> {
  const entry =
    (await db.one<{ hash: string }>(
      'SELECT hash FROM calls WHERE org_id = ? AND seq = ?',
      org_id,
      seq,
    )) ??
    (await db.one<{ hash: string }>(
      'SELECT last_hash AS hash FROM call_seals WHERE org_id = ? AND through_seq = ?',
      org_id,
      seq,
    ))
  return entry?.hash
}

/**
 * Seals in the database without a signed head in these files: entries were removed, but not by this server's
 * retention, which signs a seal before it writes it. The seals are therefore read first.
 * @param readKeys reads the public keys whose signatures count
 */
export async function findUnsignedSeals(
  db: SqlText,
  files: readonly string[],
  readKeys: () => readonly string[],
): Promise<{ org_id: string; seq: number }[]> {
  const seals = await db.all<{ org_id: string; seq: number; hash: string }>(
    'SELECT org_id, through_seq AS seq, last_hash AS hash FROM call_seals ORDER BY org_id, through_seq',
  )
  const sealedHeads = files
    .flatMap((file) => readLines(file).flatMap(parseHead))
    .filter((head) => head.event === 'sealed')
  const keys = readKeys()
  const genuineHeads = sealedHeads.filter((head) => keys.includes(head.key) && isGenuine(head))
  const signed = new Set(genuineHeads.map(({ org_id, seq, hash }) => `${org_id} ${seq} ${hash}`))
  return seals
    .filter(({ org_id, seq, hash }) => !signed.has(`${org_id} ${seq} ${hash}`))
    .map(({ org_id, seq }) => ({ org_id, seq }))
}

export function forgedSealMessage(seq: number, keepDays: number): string {
  return `the entries up to ${seq} were sealed, and no signed head says so${keepDays === 0 ? '; audit_keep_days is 0, so this server seals nothing' : ''}`
}
