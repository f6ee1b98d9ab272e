import { groupChangesIn, groupValuesIn } from '../../sso/scim/group-values.ts'
import {
  changeGroup,
  createGroup,
  deleteGroup,
  replaceGroup,
} from '../../sso/scim/group-changes.ts'
import { listGroups, requireGroup, type ScimGroup } from '../../sso/scim/access-groups.ts'
import { operationsIn, type Json } from '../../sso/scim/patch.ts'
import { presentGroups, scimUrl } from '../../sso/scim/present.ts'
import { answerEmpty } from '../transport/answers.ts'
import { answerScim } from './answers.ts'
import { isWanted, listQueryIn, projected } from './query.ts'
import { listAnswer, type Resource, type ScimRequest } from './resource.ts'

export const groupResource: Resource = {
  noun: 'group',
  async list(request) {
    const { caller, incoming, params } = request
    const query = listQueryIn(params)
    const { total, rows } = await listGroups(caller.app.store.read, caller.provider, query)
    const items = await presented(request, rows)
    return listAnswer(incoming, items, { total, startIndex: query.startIndex })
  },
  async read(request, id) {
    const { caller } = request
    return answered(request, await requireGroup(caller.app.store.read, caller.provider, id))
  },
  async create(request, body) {
    return answered(request, await createGroup(request.caller, groupValuesIn(body)), 201)
  },
  async replace(request, id, body) {
    return answered(request, await replaceGroup(request.caller, id, groupValuesIn(body)))
  },
  /** No body: a group may have thousands of members, which a provider that adds one has no use for. */
  async change({ caller, incoming }, id, body) {
    await changeGroup(caller, id, groupChangesIn(operationsIn(body)))
    return answerEmpty(incoming, 204)
  },
  async remove({ caller, incoming }, id) {
    await deleteGroup(caller, id)
    return answerEmpty(incoming, 204)
  },
}

async function answered(request: ScimRequest, row: ScimGroup, status = 200): Promise<Response> {
  const [group = {}] = await presented(request, [row])
  const { baseUrl } = request.caller.app
  return answerScim(request.incoming, status, group, [
    ['location', `${scimUrl(baseUrl)}/Groups/${row.id}`],
  ])
}

async function presented(
  { caller: { app }, params }: ScimRequest,
  rows: readonly ScimGroup[],
): Promise<Json[]> {
  const withMembers = isWanted(params, 'members')
  const groups = await presentGroups(app.store.read, app.baseUrl, rows, { withMembers })
  return groups.map((group) => projected(group, params))
}
