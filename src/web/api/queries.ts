import {
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { call, get, post, type Input, type OperationName, type Output } from './client.ts'
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

interface Options {
  enabled?: boolean
  refetchInterval?: number
  staleTime?: number
}

/** What a reading operation answers. */
export function useOperation<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: Options = {},
): UseQueryResult<Output<N>, Error> {
  return useQuery({
    queryKey: ['call', name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    ...options,
  })
}

/** A list of an operation, page by page; `items` are those of all pages that were loaded. */
export function useList<N extends OperationName>(name: N, input: Input<N>, options: Options = {}) {
  type Page = Output<N> & { items: unknown[]; next_cursor?: string }
  const found = useInfiniteQuery({
    queryKey: ['call', name, input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(
        name,
        { ...input, ...(pageParam === '' ? {} : { cursor: pageParam }) } as Input<N>,
        signal,
      ) as Promise<Page>,
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    ...options,
  })
  const items = (found.data?.pages.flatMap((page) => page.items) ?? []) as Output<N> extends {
    items: (infer I)[]
  }
    ? I[]
    : never
  return { ...found, items }
}

/** What a page below /web answers. */
export function useWeb<A>(
  path: string,
  query: Record<string, string | number | boolean | undefined> = {},
  options: Options = {},
): UseQueryResult<A, Error> {
  return useQuery({
    queryKey: ['web', path, query],
    queryFn: ({ signal }) => get<A>(path, query, signal),
    ...options,
  })
}

/** Calls an operation that changes something; what was read of it before is read again. */
export function useCall<N extends OperationName>(
  name: N,
  stale: readonly OperationName[] = [],
): UseMutationResult<Output<N>, Error, Input<N>> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input<N>) => call(name, input),
    onSuccess: () =>
      Promise.all(stale.map((item) => client.invalidateQueries({ queryKey: ['call', item] }))).then(
        () => undefined,
      ),
  })
}

/** Posts to a path below /web; what was read of `stale` paths before is read again. */
export function usePost<B, A = unknown>(
  path: string | ((body: B) => string),
  stale: readonly string[] = [],
  send: (body: B) => unknown = () => ({}),
): UseMutationResult<A, Error, B> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: B) =>
      typeof path === 'string' ? post<A>(path, body) : post<A>(path(body), send(body)),
    onSuccess: () =>
      Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: ['web', name] }))).then(
        () => undefined,
      ),
  })
}
