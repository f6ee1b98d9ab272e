import { IconLogin2 } from '@tabler/icons-react'
import { useEndpoint } from '../../../api/queries.ts'
import { useIsAdmin } from '../../../session/session.ts'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { AddLink } from '../shared/AddLink.tsx'
import { AdminsOnly } from '../shared/AdminsOnly.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { settingsTexts as t } from '../texts.ts'
import { Emergency } from './Emergency.tsx'
import { OnlyProvider } from './OnlyProvider.tsx'
import { here, settingsPath } from './provider.ts'

const words = t.singleSignOn

/** The organization's identity providers, and whether they are the only way to sign in; for administrators. */
export function SingleSignOn() {
  return useIsAdmin() ? <Settings /> : <AdminsOnly title={words.title} />
}

function Settings() {
  const settingsQuery = useEndpoint(settingsPath)
  const add = <AddLink to={`${here}/add`} label={words.add} />
  const has = (settingsQuery.data?.providers.length ?? 0) > 0
  return (
    <Page title={words.title} about={words.about} actions={has && add}>
      <Shown query={settingsQuery}>
        {(settings) => (
          <>
            {settings.providers.length === 0 ? (
              <Empty icon={IconLogin2} title={words.none} text={words.noneText} action={add} />
            ) : (
              <Rows label={words.providers}>
                {settings.providers.map((provider) => (
                  <Row key={provider.id} title={provider.name} to={`${here}/${provider.id}`}>
                    <div>{provider.issuer}</div>
                    <div>
                      {words.accountsShort[provider.accounts]}
                      {' · '}
                      {words.tokens(provider.scim_tokens.length)}
                    </div>
                  </Row>
                ))}
              </Rows>
            )}
            <OnlyProvider settings={settings} />
            <Emergency settings={settings} />
          </>
        )}
      </Shown>
    </Page>
  )
}
