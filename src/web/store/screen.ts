import { useQuery } from '@tanstack/react-query'
import { post, type Input, type OperationName, type Output } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'

/** One operation of a screen, from `reading`. */
interface Reading<N extends OperationName> {
  operation: N
  arguments: Input<N>
}

/** Answer to an operation of a screen: a value or an error. */
type CallResponse<N extends OperationName> =
  | { value: Output<N>; error?: undefined }
  | { value?: undefined; error: ApiError }

type Answers<C extends readonly Reading<OperationName>[]> = {
  [K in keyof C]: C[K] extends Reading<infer N> ? CallResponse<N> : never
}

/** An operation to be read by a screen. */
export function reading<N extends OperationName>(operation: N, input: Input<N>): Reading<N> {
  return { operation, arguments: input }
}

/** Reads the data of a screen in one request; operations are refused individually. @throws ApiError */
export async function readScreen<const C extends readonly Reading<OperationName>[]>(
  screen: string,
  calls: C,
  signal?: AbortSignal,
): Promise<Answers<C>> {
  const sent = calls.map((call) => ({
    operation: call.operation,
    arguments: { ...call.arguments },
  }))
  const { results } = await post('/web/read', { screen, calls: sent }, signal)
  return results.map(({ status, value, problem }) =>
    problem ? { error: new ApiError(status, problem) } : { value },
  ) as object as Answers<C>
}

/** Data of a screen. Refetched when an item in it changes. */
export function useScreen<const C extends readonly Reading<OperationName>[]>(
  screen: string,
  calls: C,
) {
  return useQuery({
    queryKey: ['screen', screen, calls],
    queryFn: ({ signal }) => readScreen(screen, calls, signal),
  })
}
