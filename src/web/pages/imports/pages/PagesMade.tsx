import { pageImport as words } from '../../../texts/en/imports/pages.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { ImportedItems } from '../MadeItems.tsx'
import { closeImport } from '../open.ts'
import { Remarks } from '../Remarks.tsx'
import type { PagePlan } from './data.ts'
import { remarksOf } from './PagePlanView.tsx'

/** The imported pages, with links. */
export function ImportedPages({ plan }: { plan: PagePlan }) {
  return (
    <>
      <ImportedItems items={plan.created} />
      <RouterLink to="/pages" onClick={closeImport}>
        {words.open}
      </RouterLink>
      <Remarks {...remarksOf(plan)} />
    </>
  )
}
