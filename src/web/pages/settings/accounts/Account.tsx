import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { usePost } from '../../../api/queries.ts'
import { NotFound } from '../../../ui/NotFound.tsx'
import { settingsTexts as t } from '../texts.ts'
import { confirm, notifySuccess } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { runAction } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { StateBadge } from '../shared/State.tsx'
import { accountsPath, toneOf, useAccounts, type ConnectedAccount as Connected } from './account.ts'
import { AccountSender } from './AccountSender.tsx'
import { AccountServices } from './AccountServices.tsx'
import { AccountSignIn } from './AccountSignIn.tsx'

/** One connected account: its state, the services in use, and all settings of its owner. */
export function AccountPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const accounts = useAccounts()
  return (
    <QueryContent query={accounts}>
      {({ items }) => {
        const account = items.find((item) => item.id === id)
        return account ? <AccountSettings account={account} /> : <NotFound />
      }}
    </QueryContent>
  )
}

function AccountSettings({ account }: { account: Connected }) {
  return (
    <Page
      title={account.address}
      description={t.accounts.provider[account.provider]}
      actions={<StateBadge tone={toneOf(account)}>{t.accounts.status[account.status]}</StateBadge>}
    >
      <AccountServices account={account} />
      {account.has_mail && <AccountSender key={account.id} account={account} />}
      <AccountSignIn account={account} />
      <DisableOrRemove account={account} />
    </Page>
  )
}

function DisableOrRemove({ account: { id, address, status } }: { account: Connected }) {
  const navigate = useNavigate()
  const isDisabled = status === 'disabled'
  const toggle = usePost(isDisabled ? '/web/accounts/:id/enable' : '/web/accounts/:id/disable', [
    accountsPath,
  ])
  const removal = usePost('/web/accounts/:id/remove', [accountsPath])
  const remove = async () => {
    if (
      !(await confirm({
        title: t.accounts.removeTitle(address),
        text: t.accounts.removeText,
        action: t.accounts.remove,
      }))
    )
      return
    const isDone = await runAction(async () => {
      const { what_to_do } = await removal.mutateAsync({ id })
      if (what_to_do) notifySuccess(what_to_do)
    }, t.accounts.removed(address))
    if (isDone) await navigate({ to: '/settings/accounts' })
  }
  return (
    <>
      <SettingsSection
        title={isDisabled ? t.accounts.isOff : t.accounts.switchOff}
        description={isDisabled ? t.accounts.isOffText : t.accounts.switchOffText}
        actions={
          <Button
            variant="default"
            loading={toggle.isPending}
            onClick={() =>
              void runAction(
                () => toggle.mutateAsync({ id }),
                isDisabled ? t.accounts.switchedOn : t.accounts.switchedOff,
              )
            }
          >
            {isDisabled ? t.accounts.enable : t.accounts.disable}
          </Button>
        }
      >
        {null}
      </SettingsSection>
      <SettingsSection
        title={t.accounts.remove}
        description={t.accounts.removeText}
        actions={
          <Button
            color="red"
            variant="outline"
            loading={removal.isPending}
            onClick={() => void remove()}
          >
            {t.accounts.remove}
          </Button>
        }
      >
        {null}
      </SettingsSection>
    </>
  )
}
