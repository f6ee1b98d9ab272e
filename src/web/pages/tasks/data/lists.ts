import { call, type Input, type OperationName, type Output } from '../../../api/client.ts'
import { queries, useOperation } from '../../../api/queries.ts'

const staleTime = 300_000
const allProjects = { limit: 100 } as const
const allPeople = { limit: 100, status: 'active' } as const
const allLabels = { limit: 100 } as const

/** Those whom tasks are assigned to. */
export function usePeople() {
  const { data } = useOperation('list_people', allPeople, { staleTime })
  return data?.items ?? []
}

/** The projects that one sees, with their statuses. */
export function useProjects() {
  const { data } = useOperation('list_projects', allProjects, { staleTime })
  return data?.items ?? []
}

export function useLabels() {
  const { data } = useOperation('list_labels', allLabels, { staleTime })
  return data?.items ?? []
}

export type Project = Output<'list_projects'>['items'][number]
export type CustomField = Project['custom_fields'][number]

/** What a reading operation answers, from what was read a moment ago where there is that. @throws ApiError */
export function readOnce<N extends OperationName>(name: N, input: Input<N>): Promise<Output<N>> {
  return queries.ensureQueryData({
    queryKey: ['call', name, input],
    queryFn: ({ signal }) => call(name, input, signal),
  })
}

/** The same as the hooks above, for what happens outside of components. @throws ApiError */
export const readProjects = async () => (await readOnce('list_projects', allProjects)).items
export const readPeople = async () => (await readOnce('list_people', allPeople)).items
export const readLabels = async () => (await readOnce('list_labels', allLabels)).items

/** The name of a person among those who were read; the id where they were not. */
export function personName(id: string): string {
  const read = queries.getQueryData<Output<'list_people'>>(['call', 'list_people', allPeople])
  return read?.items.find((person) => person.id === id)?.display_name ?? id
}
