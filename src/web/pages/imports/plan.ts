import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, type Input } from '../../api/client.ts'
import type { ImportOperation } from './run.ts'
import type { ImportSource } from './source.ts'

interface PlanOptions<N extends ImportOperation> {
  operation: N
  source: ImportSource
  /** Options besides the source that the import depends on: the text is too long for a query key. */
  options: unknown
  /** The complete input, as a dry run. */
  input: Input<N>
}

/** Planned import; refetched when the options change. */
export function useImportPlan<N extends ImportOperation>(planOptions: PlanOptions<N>) {
  const { operation, source, options, input } = planOptions
  return useQuery({
    queryKey: ['import preview', operation, source.serial, options],
    queryFn: ({ signal }) => call(operation, input, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
