import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { settingsTexts as t } from '../texts.ts'
import { AppLink, RouterLink } from '../../../ui/AppLink.tsx'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { AddLink } from '../shared/AddLink.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { StateBadge, Tag } from '../shared/State.tsx'
import { formatList } from '../shared/words.ts'
import { toneOf, useAccounts, usedServiceNames, type ConnectedAccount } from './account.ts'

/** A person's external accounts, with their state. */
export function Accounts() {
  const accounts = useAccounts()
  const add = <AddLink to="/settings/accounts/add" label={t.accounts.add} />
  return (
    <Page
      title={t.accounts.title}
      description={t.accounts.about}
      actions={accounts.data?.items.length ? add : undefined}
    >
      <QueryContent query={accounts}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={IconPlugConnected}
              title={t.accounts.none}
              text={t.accounts.noneText}
              action={add}
            />
          ) : (
            <Rows label={t.accounts.title}>
              {items.map((item) => (
                <ConnectedAccountEntry key={item.id} account={item} />
              ))}
            </Rows>
          )
        }
      </QueryContent>
      <AppLink to="/settings/mail" size="sm">
        {t.accounts.mail.title}
      </AppLink>
    </Page>
  )
}

function ConnectedAccountEntry({ account }: { account: ConnectedAccount }) {
  const { id, address, status, problem, last_sync_at } = account
  const to = `/settings/accounts/${id}`
  return (
    <Row
      title={address}
      to={to}
      badge={
        <>
          <StateBadge tone={toneOf(account)}>{t.accounts.status[status]}</StateBadge>
          {account.default && <Tag>{t.accounts.default}</Tag>}
        </>
      }
      actions={
        status === 'reauth_required' && (
          <Button size="xs" component={RouterLink} to={`${to}#sign-in`}>
            {t.accounts.signInAgain}
          </Button>
        )
      }
    >
      <div>
        {t.accounts.provider[account.provider]}, {formatList(usedServiceNames(account))}
        {last_sync_at && (
          <>
            {' · '}
            {t.accounts.updated} <Ago time={last_sync_at} />
          </>
        )}
      </div>
      {problem && <div dir="auto">{problem}</div>}
    </Row>
  )
}
