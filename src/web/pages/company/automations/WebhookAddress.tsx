import { Alert } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import { t } from '../../../texts/index.ts'
import { OneTimeDialog } from '../../settings/shared/ShownOnce.tsx'

/** The address that triggers an automation, which is shown once. */
export function WebhookAddress({ address, close }: { address: string; close: () => void }) {
  return (
    <OneTimeDialog
      title={words.webhookAddress}
      text={words.webhookText}
      value={address}
      texts={{ label: words.webhookAddress, copy: words.copyAddress, done: t.app.close }}
      note={
        <Alert variant="light" color="yellow" icon={<IconKey />}>
          {words.webhookOnce}
        </Alert>
      }
      onClose={close}
    />
  )
}
