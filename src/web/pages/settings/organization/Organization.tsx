import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Shown } from '../../../ui/states.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { Editor } from './Editor.tsx'
import { organizationPath } from './settings.ts'

const words = t.organization.general

/** What holds for the whole organization; for administrators. */
export function Organization() {
  return useIsAdmin() ? <Settings /> : <AdminsOnly title={words.title} />
}

function Settings() {
  const found = useEndpoint(organizationPath)
  return (
    <Page title={words.title} about={words.about}>
      <Shown of={found}>{(settled) => <Editor settled={settled} />}</Shown>
    </Page>
  )
}
