import { useOperation } from '../../../api/queries.ts'

const staleTime = 300_000

/** Those whom tasks are assigned to. */
export function usePeople() {
  const { data } = useOperation('list_people', { limit: 100, status: 'active' }, { staleTime })
  return data?.items ?? []
}

/** The projects that one sees, with their statuses. */
export function useProjects() {
  const { data } = useOperation('list_projects', { limit: 100 }, { staleTime })
  return data?.items ?? []
}

export function useLabels() {
  const { data } = useOperation('list_labels', { limit: 100, item_type: 'task' }, { staleTime })
  return data?.items ?? []
}
