import { IconLogin2 } from '@tabler/icons-react'
import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { AddLink } from '../shared/AddLink.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { settingsTexts as t } from '../texts.ts'
import { Emergency } from './Emergency.tsx'
import { OnlyProvider } from './OnlyProvider.tsx'
import { singleSignOnPath, settingsPath } from './provider.ts'

const texts = t.singleSignOn

/** The organization's identity providers, and whether they are the only way to sign in; for administrators. */
export function SingleSignOn() {
  return useIsAdmin() ? <Settings /> : <AdminsOnly title={texts.title} />
}

function Settings() {
  const settingsQuery = useEndpoint(settingsPath)
  const add = <AddLink to={`${singleSignOnPath}/add`} label={texts.add} />
  const hasProviders = (settingsQuery.data?.providers.length ?? 0) > 0
  return (
    <Page title={texts.title} description={texts.about} actions={hasProviders && add}>
      <QueryContent query={settingsQuery}>
        {(settings) => (
          <>
            {settings.providers.length === 0 ? (
              <EmptyState icon={IconLogin2} title={texts.none} text={texts.noneText} action={add} />
            ) : (
              <Rows label={texts.providers}>
                {settings.providers.map((provider) => (
                  <Row
                    key={provider.id}
                    title={provider.name}
                    to={`${singleSignOnPath}/${provider.id}`}
                  >
                    <div>{provider.issuer}</div>
                    <div>
                      {texts.accountsShort[provider.accounts]}
                      {' · '}
                      {texts.tokens(provider.scim_tokens.length)}
                    </div>
                  </Row>
                ))}
              </Rows>
            )}
            <OnlyProvider settings={settings} />
            <Emergency settings={settings} />
          </>
        )}
      </QueryContent>
    </Page>
  )
}
