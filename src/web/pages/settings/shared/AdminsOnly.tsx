import { IconLock } from '@tabler/icons-react'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState } from '../../../ui/states.tsx'

/** Shown instead of a page for administrators. */
export function AdminsOnly({ title }: { title: string }) {
  return (
    <Page title={title}>
      <EmptyState
        icon={IconLock}
        title={t.organization.adminsOnly}
        text={t.organization.adminsOnlyText}
      />
    </Page>
  )
}
