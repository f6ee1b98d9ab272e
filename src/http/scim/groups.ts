import { parseGroupChanges, parseGroupValues } from '../../sso/scim/group-values.ts'
import {
  changeGroup,
  createGroup,
  deleteGroup,
  replaceGroup,
} from '../../sso/scim/group-changes.ts'
import { listGroups, requireGroup, type ScimGroup } from '../../sso/scim/access-groups.ts'
import { parseOperations } from '../../sso/scim/patch.ts'
import { presentGroups } from '../../sso/scim/present.ts'
import { answerEmpty } from '../transport/answers.ts'
import { includesAttribute } from './query.ts'
import { answerOne, answerPage, type Presentation, type Resource } from './resource.ts'

export const groups: Presentation<ScimGroup> = {
  path: 'Groups',
  present: ({ caller: { app }, params }, rows) =>
    presentGroups(app.store.read, app.baseUrl, rows, {
      withMembers: includesAttribute(params, 'members'),
    }),
}

export const groupResource: Resource = {
  noun: 'group',
  async list(request) {
    const { app, provider } = request.caller
    return answerPage(request, groups, (query) => listGroups(app.store.read, provider, query))
  },
  async read(request, id) {
    const { app, provider } = request.caller
    return answerOne(request, groups, await requireGroup(app.store.read, provider, id))
  },
  async create(request, body) {
    return answerOne(
      request,
      groups,
      await createGroup(request.caller, parseGroupValues(body)),
      201,
    )
  },
  async replace(request, id, body) {
    return answerOne(
      request,
      groups,
      await replaceGroup(request.caller, id, parseGroupValues(body)),
    )
  },
  /**
   * No body unless attributes are requested: a group may have thousands of members, which a provider adding one does
   * not need.
   */
  async change(request, id, body) {
    const { caller, incoming, params } = request
    const group = await changeGroup(caller, id, parseGroupChanges(parseOperations(body, id)))
    const hasRequestedAttributes = params.has('attributes') || params.has('excludedAttributes')
    return hasRequestedAttributes ? answerOne(request, groups, group) : answerEmpty(incoming, 204)
  },
  async remove({ caller, incoming }, id) {
    await deleteGroup(caller, id)
    return answerEmpty(incoming, 204)
  },
}
