import type Database from 'better-sqlite3'
import type { Reranker } from '../../search/reranker.ts'
import { checkEmbeddings } from '../../search/check.ts'
import { searchStatus } from '../../search/status.ts'
import { DoctorFindings, type DoctorFinding } from './finding.ts'
import { quantity } from '../../kernel/text/quantity.ts'

/** With a running server, waiting texts are processed within seconds; this many are worth a warning. */
const maxDue = 10_000
const rebuild = 'workspace search rebuild'

/** Checks that the vector index has each text, and no others. */
export function checkSearch(db: Database.Database, isServed: boolean): DoctorFinding[] {
  const findings = new DoctorFindings('search')
  const { texts, passages, due, missing, orphans, hasSpace } = checkEmbeddings(db)
  if (!hasSpace) findings.fail('The semantic index is not available: keyword search only.', rebuild)
  if (missing > 0 || orphans > 0)
    findings.fail(
      `Of ${quantity(texts, 'text')} ${missing} ${missing === 1 ? 'has' : 'have'} no vectors, and ${quantity(orphans, 'deleted one still has', 'deleted ones still have')} some: semantic search does not find everything.`,
      rebuild,
    )
  if (due >= maxDue)
    findings.warn(
      `${due} texts are waiting for vectors; until then only keyword search finds them.`,
      isServed ? 'wait; see workspace search status' : 'workspace serve',
    )
  const { provider } = searchStatus(db)
  if (provider?.state === 'away')
    findings.warn(
      `The model ${provider.model} computes no vectors, so local ones are used: ${provider.problem}`,
      'docs/search-provider.md says what each message means',
    )
  if (findings.all.length === 0)
    findings.ok(
      `${texts - Math.min(due, texts)} of ${quantity(texts, 'text')} ${texts === 1 ? 'is' : 'are'} in the semantic index, in ${quantity(passages, 'passage')}.`,
    )
  return findings.all
}

/** Milliseconds allowed for the reranker's answer in this check, regardless of the limit in searches. */
const probeTimeoutMs = 5000

/** Checks that the reranker answers within the time limit of a search. */
export async function checkReranking(
  reranker: Reranker | undefined,
  searchTimeoutMs: number,
): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('search')
  if (!reranker) return []
  const startedAt = performance.now()
  try {
    await reranker.probe(probeTimeoutMs)
    const elapsedMs = Math.round(performance.now() - startedAt)
    if (elapsedMs <= searchTimeoutMs) findings.ok(`The reranker answered within ${elapsedMs} ms.`)
    else
      findings.warn(
        `The reranker took ${elapsedMs} ms for two passages and a search waits ${searchTimeoutMs} ms: hits keep their own order.`,
        'a faster model, or a longer --rerank-timeout',
      )
  } catch (error) {
    findings.warn(
      `Hits keep their own order, since the reranker cannot be used: ${(error as Error).message}`,
      'docs/search-reranker.md says what each message means',
    )
  }
  return findings.all
}
