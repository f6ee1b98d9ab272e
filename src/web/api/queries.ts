import {
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import {
  call,
  get,
  post,
  type GetInput,
  type GetOutput,
  type GetPath,
  type Input,
  type OperationName,
  type Output,
  type PostInput,
  type PostOutput,
  type PostPath,
} from './client.ts'
import { ApiError } from './problem.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) =>
        error instanceof ApiError && (error.isOffline || error.status >= 500) && count < 2,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

export interface OperationOptions {
  enabled?: boolean
  refetchInterval?: number
  staleTime?: number
  refetchOnWindowFocus?: boolean
  /** `keepPreviousData`: shows the previous answer until the new one arrives. */
  placeholderData?: typeof keepPreviousData
}

/** Query options of a reading operation, with the key that caches its answer. */
export function operationQuery<N extends OperationName>(name: N, input: Input<N>) {
  return queryOptions({
    queryKey: ['call', name, input],
    queryFn: ({ signal }): Promise<Output<N>> => call(name, input, signal),
  })
}

/** Invalidates results of operations: visible ones are read again now, others when next used. */
export async function invalidateOperations(...names: readonly OperationName[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: ['call', name] })))
}

export function useOperation<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: OperationOptions = {},
): UseQueryResult<Output<N>, Error> {
  return useQuery({ ...operationQuery(name, input), ...options })
}

/** A paged list of an operation; `items` are those of all loaded pages. */
export function useList<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: OperationOptions = {},
) {
  type Page = Output<N> & { items: unknown[]; next_cursor?: string }
  const pages = useInfiniteQuery({
    queryKey: ['call', name, input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(
        name,
        { ...input, ...(pageParam === '' ? {} : { cursor: pageParam }) } as Input<N>,
        signal,
      ) as Promise<Page>,
    initialPageParam: '',
    getNextPageParam: (lastPage) => lastPage.next_cursor,
    ...options,
  })
  const items = (pages.data?.pages.flatMap((page) => page.items) ?? []) as Output<N> extends {
    items: (infer I)[]
  }
    ? I[]
    : never
  return { ...pages, items }
}

export function useEndpoint<P extends GetPath>(
  path: P,
  ...[input, options]: Record<never, never> extends GetInput<P>
    ? [input?: GetInput<P>, options?: OperationOptions]
    : [input: GetInput<P>, options?: OperationOptions]
): UseQueryResult<GetOutput<P>, Error> {
  const requestInput = (input ?? {}) as GetInput<P>
  return useQuery({
    queryKey: ['web', path, requestInput],
    queryFn: ({ signal }) => get(path, requestInput, signal),
    ...options,
  })
}

/** The cache key of an endpoint; without `input`, for all its inputs. */
export function endpointKey<P extends GetPath>(
  path: P,
  input?: GetInput<P> | undefined,
): unknown[] {
  return input === undefined ? ['web', path] : ['web', path, input]
}

/** Calls an operation that changes data; affected results are read again. */
export function useCall<N extends OperationName>(
  name: N,
  staleOperations: readonly OperationName[] = [],
): UseMutationResult<Output<N>, Error, Input<N>> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<N>) => call(name, input),
    onSuccess: () =>
      Promise.all(
        staleOperations.map((operation) =>
          client.invalidateQueries({ queryKey: ['call', operation] }),
        ),
      ).then(() => undefined),
  })
}

/** Posts to an endpoint; results of `stalePaths` are read again. */
export function usePost<P extends PostPath>(
  path: P,
  stalePaths: readonly GetPath[] = [],
): UseMutationResult<PostOutput<P>, Error, PostInput<P>> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: PostInput<P>) => post(path, input),
    onSuccess: () =>
      Promise.all(
        stalePaths.map((stalePath) =>
          client.invalidateQueries({ queryKey: endpointKey(stalePath) }),
        ),
      ).then(() => undefined),
  })
}
