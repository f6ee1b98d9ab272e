import { withAbsent } from '../../sso/scim/access-conditions.ts'
import { groupAttributes, listGroups } from '../../sso/scim/access-groups.ts'
import { listPeople, personAttributes } from '../../sso/scim/access-people.ts'
import { groups } from './groups.ts'
import { listQueryIn, selectAttributes } from './query.ts'
import { listAnswer, type ScimRequest } from './resource.ts'
import { users } from './users.ts'

/**
 * One page of users and groups, users first (RFC 7644, 3.4.3). An attribute that only the other type has counts as
 * empty.
 * @throws ScimRefusal
 */
export async function answerAll(request: ScimRequest): Promise<Response> {
  const { caller, incoming, params } = request
  const { provider } = caller
  const { read } = caller.app.store
  const query = listQueryIn(params)
  const peopleAttributes = personAttributes(provider)
  const [peopleNames, groupNames] = [
    withAbsent(peopleAttributes, groupAttributes),
    withAbsent(groupAttributes, peopleAttributes),
  ]
  const people = await listPeople(read, provider, query, peopleNames)
  const groupQuery = {
    ...query,
    startIndex: Math.max(1, query.startIndex - people.total),
    count: query.count - people.rows.length,
  }
  const groupPage = await listGroups(read, provider, groupQuery, groupNames)
  const items = [
    ...(await users.present(request, people.rows)),
    ...(await groups.present(request, groupPage.rows)),
  ]
  return listAnswer(
    incoming,
    items.map((item) => selectAttributes(item, params)),
    { total: people.total + groupPage.total, startIndex: query.startIndex },
  )
}
