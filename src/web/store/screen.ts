import { useQuery } from '@tanstack/react-query'
import { post, type Input, type OperationName, type Output } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'

/** One operation of a screen, from `screenCall`. */
interface ScreenCall<N extends OperationName> {
  operation: N
  arguments: Input<N>
}

/** Answer to an operation of a screen: a value or an error. */
type ScreenAnswer<N extends OperationName> =
  | { value: Output<N>; error?: undefined }
  | { value?: undefined; error: ApiError }

type ScreenAnswers<C extends readonly ScreenCall<OperationName>[]> = {
  [K in keyof C]: C[K] extends ScreenCall<infer N> ? ScreenAnswer<N> : never
}

/** An operation to be read by a screen. */
export function screenCall<N extends OperationName>(operation: N, input: Input<N>): ScreenCall<N> {
  return { operation, arguments: input }
}

/** Reads the data of a screen in one request; operations are refused individually. @throws ApiError */
export async function readScreen<const C extends readonly ScreenCall<OperationName>[]>(
  screen: string,
  calls: C,
  signal?: AbortSignal,
): Promise<ScreenAnswers<C>> {
  const requestCalls = calls.map((call) => ({
    operation: call.operation,
    arguments: { ...call.arguments },
  }))
  const { results } = await post('/web/read', { screen, calls: requestCalls }, signal)
  return results.map(({ status, value, problem }) =>
    problem ? { error: new ApiError(status, problem) } : { value },
  ) as object as ScreenAnswers<C>
}

/** Data of a screen. Refetched when an item in it changes. */
export function useScreen<const C extends readonly ScreenCall<OperationName>[]>(
  screen: string,
  calls: C,
) {
  return useQuery({
    queryKey: ['screen', screen, calls],
    queryFn: ({ signal }) => readScreen(screen, calls, signal),
  })
}
