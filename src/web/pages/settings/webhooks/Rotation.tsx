import { Button } from '@mantine/core'
import { useState } from 'react'
import { usePost } from '../../../api/queries.ts'
import { t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { submitWork } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Secret } from './CreateWebhook.tsx'

const words = t.organization.webhooks

/** Gives a webhook a new secret. */
export function Rotation({ id }: { id: string }) {
  const [secret, setSecret] = useState<string>()
  const rotation = usePost<object, { secret: string }>('/web/call/rotate_webhook_secret')
  const rotate = async () => {
    if (
      !(await confirm({
        title: words.rotateTitle,
        text: words.rotateText,
        action: words.rotate,
        isDangerous: false,
      }))
    )
      return
    await submitWork(
      async () => setSecret((await rotation.mutateAsync({ webhook_id: id })).secret),
      words.rotated,
    )
  }
  return (
    <SettingsSection
      title={words.secret}
      about={words.rotateText}
      actions={
        <Button variant="default" loading={rotation.isPending} onClick={() => void rotate()}>
          {words.rotate}
        </Button>
      }
    >
      {secret !== undefined && (
        <Secret secret={secret} title={words.rotated} onClose={() => setSecret(undefined)} />
      )}
    </SettingsSection>
  )
}
