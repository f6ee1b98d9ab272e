import { useOperation } from '../../../api/queries.ts'
import type { Version } from './VersionWho.tsx'

/** The text of a version, which is immutable. */
export function useVersionText(version: Version | undefined) {
  return useOperation(
    'get_page_version',
    { page_id: version?.page.id ?? '', version_id: version?.id ?? '' },
    { enabled: version !== undefined, staleTime: Infinity },
  )
}
