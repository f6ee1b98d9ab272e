import {
  get,
  type GetOutput,
  type Input,
  type OperationName,
  type Output,
} from '../../../api/client.ts'
import { operationQuery, queries, useEndpoint, useOperation } from '../../../api/queries.ts'
import { useIsAdmin, useSignedIn } from '../../../session/session.ts'
import type { DelegateKey } from './fields.ts'

const staleTime = 300_000
const allProjects = { limit: 100 } as const
const allPeople = { limit: 100, status: 'active' } as const
const allLabels = { limit: 100 } as const

/** People to whom tasks can be assigned. */
export function usePeople() {
  const { data } = useOperation('list_people', allPeople, { staleTime })
  return data?.items ?? []
}

/** The visible projects, with their statuses. */
export function useProjects() {
  const { data } = useOperation('list_projects', allProjects, { staleTime })
  return data?.items ?? []
}

export function useLabels() {
  const { data } = useOperation('list_labels', allLabels, { staleTime })
  return data?.items ?? []
}

/** Keys that can work on tasks: the reader's first, and for administrators all others. */
export function useDelegateKeys(isNeeded = true): DelegateKey[] {
  const { person: me } = useSignedIn()
  const scope = useIsAdmin() ? 'organization' : 'me'
  const { data } = useEndpoint('/web/api-keys', { of: scope, limit: 200 }, { enabled: isNeeded })
  return activeKeys(data).toSorted(
    (a, b) => Number(b.owner.id === me.id) - Number(a.owner.id === me.id),
  )
}

/** The reader's keys that can work on tasks. @throws ApiError */
export const readOwnKeys = async () =>
  activeKeys(await get('/web/api-keys', { of: 'me', limit: 200 }))

function activeKeys(keys: GetOutput<'/web/api-keys'> | undefined): DelegateKey[] {
  return (keys?.items ?? [])
    .filter((key) => key.state === 'active')
    .map(({ id, name, owner }) => ({ id, title: name, owner: { id: owner.id, title: owner.name } }))
}

export type Project = Output<'list_projects'>['items'][number]
export type CustomField = Project['custom_fields'][number]

/** Answer of a reading operation, from the cache if recent. @throws ApiError */
export function readOnce<N extends OperationName>(name: N, input: Input<N>): Promise<Output<N>> {
  return queries.ensureQueryData(operationQuery(name, input))
}

/** Like the hooks above, for use outside components. @throws ApiError */
export const readProjects = async () => (await readOnce('list_projects', allProjects)).items
export const readPeople = async () => (await readOnce('list_people', allPeople)).items
export const readLabels = async () => (await readOnce('list_labels', allLabels)).items

/** The name of a loaded person, or else the id. */
export function personName(id: string): string {
  const people = queries.getQueryData<Output<'list_people'>>(['call', 'list_people', allPeople])
  return people?.items.find((person) => person.id === id)?.display_name ?? id
}
