import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, type Input } from '../../api/client.ts'
import type { ImportOperation } from './run.ts'
import type { ImportSource } from './source.ts'

interface PlanOptions<N extends ImportOperation> {
  operation: N
  source: ImportSource
  /** What the import depends on besides the source: the text is too long for the key of a query. */
  options: unknown
  /** The whole input, as a dry run. */
  input: Input<N>
}

/** What an import would do; looked up again when one says how the file is meant. */
export function useImportPlan<N extends ImportOperation>(of: PlanOptions<N>) {
  const { operation, source, options, input } = of
  return useQuery({
    queryKey: ['import preview', operation, source.n, options],
    queryFn: ({ signal }) => call(operation, input, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
