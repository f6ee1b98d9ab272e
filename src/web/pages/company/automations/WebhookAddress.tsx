import { Alert } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { automationTexts as words } from '../../../texts/en/company/automations.ts'
import { t } from '../../../texts/index.ts'
import { ShownOnce } from '../../settings/shared/ShownOnce.tsx'

/** The address that triggers an automation, which is shown once. */
export function WebhookAddress({ address, close }: { address: string; close: () => void }) {
  return (
    <ShownOnce
      title={words.webhookAddress}
      text={words.webhookText}
      value={address}
      words={{ label: words.webhookAddress, copy: words.copyAddress, done: t.app.close }}
      note={
        <Alert variant="light" color="yellow" icon={<IconKey />}>
          {words.webhookOnce}
        </Alert>
      }
      onClose={close}
    />
  )
}
