import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  call,
  get,
  type GetInput,
  type GetOutput,
  type GetPath,
  type Input,
  type OperationName,
  type Output,
} from '../../../api/client.ts'
import type { OperationOptions } from '../../../api/queries.ts'

interface PageOf<I> {
  items: I[]
  next_cursor?: string
}

/** A paged list below /web. Reloaded by `invalidateQueries(['web', path])`. */
export function useEndpointList<P extends ListPath>(path: P, input: GetInput<P>) {
  type Item = GetOutput<P> extends { items: (infer I)[] } ? I : never
  const pages = useInfiniteQuery({
    queryKey: ['web', path, input, 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? {} : { cursor: pageParam }
      const page = Object.assign({ ...input }, cursor) as GetInput<P>
      return (await get(path, page, signal)) as PageOf<Item>
    },
    initialPageParam: '',
    getNextPageParam: (lastPage) => lastPage.next_cursor,
  })
  return { ...pages, items: pages.data?.pages.flatMap((page) => page.items) ?? [] }
}

/** Paged endpoints. */
type ListPath = {
  [P in GetPath]: GetOutput<P> extends { next_cursor?: string | undefined } ? P : never
}[GetPath]

/** All pages of a naturally short list, such as the teams of an organization. */
export function useAllItems<N extends OperationName>(
  name: N,
  input: Input<N>,
  options: Pick<OperationOptions, 'enabled' | 'staleTime'> = {},
) {
  type Items = Output<N> extends { items: (infer I)[] } ? I[] : never
  return useQuery({
    queryKey: ['call', name, input, 'whole'],
    ...options,
    queryFn: async ({ signal }) => {
      const items: unknown[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page: PageOf<unknown> = (await call(
          name,
          { ...input, limit: 100, ...(cursor === '' ? {} : { cursor }) } as Input<N>,
          signal,
        )) as PageOf<unknown>
        items.push(...page.items)
        cursor = page.next_cursor
      }
      return items as Items
    },
  })
}
