import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { page, pageVersion } from './access.ts'
import { presentVersions } from './pages/versions.ts'
import { presentPages } from './shapes.ts'

export const pagesPresenters = [
  presenter(page, {
    operation: 'list_pages',
    entries: presentPages,
    get: { operation: 'get_page', argument: 'page_id' },
  }),
  partPresenter(pageVersion, {
    operation: 'list_page_versions',
    resource: page,
    by: 'page_id',
    entries: presentVersions,
    get: {
      operation: 'get_page_version',
      argument: 'version_id',
      with: (row) => ({ page_id: row.page_id }),
    },
  }),
]
