import { operation } from '../../../operations/operation.ts'
import { organization } from '../../directory/access.ts'
import { Organization, presentOrganization } from '../shapes.ts'

export const getOrganization = operation({
  name: 'get_organization',
  searchHint: 'company settings, public holidays, bank holidays, work week, severity levels',
  kind: 'read',
  rest: 'GET /api/organization',
  about:
    'Organization profile, default timezone, work week, holidays, severity scale and enabled modules',
  output: Organization,
  async handle(_, ctx) {
    return presentOrganization(
      ctx,
      await organization.visibleTo(ctx).selectAll('orgs').executeTakeFirstOrThrow(),
    )
  },
})
