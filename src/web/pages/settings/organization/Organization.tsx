import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { Editor } from './Editor.tsx'
import { organizationPath } from './settings.ts'

const texts = t.organization.general

/** Settings of the whole organization; for administrators. */
export function Organization() {
  return useIsAdmin() ? <Settings /> : <AdminsOnly title={texts.title} />
}

function Settings() {
  const settings = useEndpoint(organizationPath)
  return (
    <Page title={texts.title} description={texts.about}>
      <QueryContent query={settings}>{(stored) => <Editor stored={stored} />}</QueryContent>
    </Page>
  )
}
