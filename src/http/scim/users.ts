import { listPeople, requirePerson, type ScimPerson } from '../../sso/scim/access-people.ts'
import { changePerson, deletePerson } from '../../sso/scim/person-changes.ts'
import { createPerson } from '../../sso/scim/person-creation.ts'
import { isJsonObject, parseOperations } from '../../sso/scim/patch.ts'
import { presentPeople } from '../../sso/scim/present.ts'
import { invalidValue } from '../../sso/scim/refusals.ts'
import { patchUser, parseUserValues } from '../../sso/scim/user-values.ts'
import { answerEmpty } from '../transport/answers.ts'
import { answerOne, answerPage, type Presentation, type Resource } from './resource.ts'

export const users: Presentation<ScimPerson> = {
  path: 'Users',
  present: ({ caller: { app } }, rows) => presentPeople(app.store.read, app.baseUrl, rows),
}

export const userResource: Resource = {
  noun: 'user',
  async list(request) {
    const { app, provider } = request.caller
    return answerPage(request, users, (query) => listPeople(app.store.read, provider, query))
  },
  async read(request, id) {
    const { app, provider } = request.caller
    return answerOne(request, users, await requirePerson(app.store.read, provider, id))
  },
  async create(request, body) {
    const person = await createPerson(request.caller, parseUserValues(body))
    return answerOne(request, users, person, 201)
  },
  async replace(request, id, body) {
    if (!isJsonObject(body)) throw invalidValue('The request has no user in it.')
    return answerOne(request, users, await changePerson(request.caller, id, () => body))
  },
  async change(request, id, body) {
    const operations = parseOperations(body, id)
    const person = await changePerson(request.caller, id, (current) =>
      patchUser(current, operations),
    )
    return answerOne(request, users, person)
  },
  async remove({ caller, incoming }, id) {
    await deletePerson(caller, id)
    return answerEmpty(incoming, 204)
  },
}
