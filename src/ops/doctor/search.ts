import type Database from 'better-sqlite3'
import { checkEmbeddings } from '../../search/check.ts'
import { searchStatus } from '../../search/status.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'

/** Texts that wait are brought up within seconds where a server runs; so many are worth a word. */
const many = 10_000
const rebuild = 'workspace search rebuild'

/** That search by meaning knows each text, and no other. */
export function checkSearch(db: Database.Database, isServed: boolean): DoctorFinding[] {
  const found = new DoctorFindings('search')
  const { texts, passages, due, missing, orphans, hasSpace } = checkEmbeddings(db)
  if (!hasSpace) found.fail('The semantic index is not available: keyword search only.', rebuild)
  if (missing > 0 || orphans > 0)
    found.fail(
      `Of ${texts} texts ${missing} have no vectors, and ${orphans} deleted ones still have: semantic search does not find everything.`,
      rebuild,
    )
  if (due >= many)
    found.warn(
      `${due} texts are waiting for vectors; until then only keyword search finds them.`,
      isServed ? 'wait; see workspace search status' : 'workspace serve',
    )
  const { provider } = searchStatus(db)
  if (provider?.state === 'away')
    found.warn(
      `The provider makes no vectors, so local ones are used: ${provider.problem}`,
      'docs/search-provider.md says what each message means',
    )
  if (found.all.length === 0)
    found.ok(
      `${texts - Math.min(due, texts)} of ${texts} texts are in the semantic index, in ${passages} passages.`,
    )
  return found.all
}
