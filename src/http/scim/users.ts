import { listPeople, requirePerson, type ScimPerson } from '../../sso/scim/access-people.ts'
import { changePerson, deletePerson } from '../../sso/scim/person-changes.ts'
import { createPerson } from '../../sso/scim/person-creation.ts'
import { isObject, operationsIn, patched, type Json } from '../../sso/scim/patch.ts'
import { presentPeople, scimUrl } from '../../sso/scim/present.ts'
import { invalidValue } from '../../sso/scim/refusals.ts'
import { userSpelling, userValuesIn } from '../../sso/scim/user-values.ts'
import { answerEmpty } from '../transport/answers.ts'
import { answerScim } from './answers.ts'
import { listQueryIn, projected } from './query.ts'
import { listAnswer, type Resource, type ScimRequest } from './resource.ts'

export const userResource: Resource = {
  noun: 'user',
  async list(request) {
    const { caller, incoming, params } = request
    const query = listQueryIn(params)
    const { total, rows } = await listPeople(caller.app.store.read, caller.provider, query)
    const items = await presented(request, rows)
    return listAnswer(incoming, items, { total, startIndex: query.startIndex })
  },
  async read(request, id) {
    const { caller } = request
    return answered(request, await requirePerson(caller.app.store.read, caller.provider, id))
  },
  async create(request, body) {
    const { caller } = request
    const person = await createPerson(caller, userValuesIn(body))
    return answered(request, person, 201)
  },
  async replace(request, id, body) {
    if (!isObject(body)) throw invalidValue('The request has no user in it.')
    return answered(request, await changePerson(request.caller, id, () => body))
  },
  async change(request, id, body) {
    const operations = operationsIn(body)
    const person = await changePerson(request.caller, id, (present) =>
      patched(present, operations, userSpelling),
    )
    return answered(request, person)
  },
  async remove({ caller, incoming }, id) {
    await deletePerson(caller, id)
    return answerEmpty(incoming, 204)
  },
}

async function answered(request: ScimRequest, person: ScimPerson, status = 200): Promise<Response> {
  const [user = {}] = await presented(request, [person])
  const { baseUrl } = request.caller.app
  return answerScim(request.incoming, status, user, [
    ['location', `${scimUrl(baseUrl)}/Users/${person.id}`],
  ])
}

async function presented(
  { caller: { app }, params }: ScimRequest,
  rows: readonly ScimPerson[],
): Promise<Json[]> {
  const users = await presentPeople(app.store.read, app.baseUrl, rows)
  return users.map((user) => projected(user, params))
}
