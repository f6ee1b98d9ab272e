import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { callByName } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { submitWork } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Secret } from './CreateWebhook.tsx'

const words = t.organization.webhooks

/** Gives a webhook a new secret. */
export function Rotation({ id }: { id: string }) {
  const [secret, setSecret] = useState<string>()
  const rotation = useMutation({
    mutationFn: () => callByName<{ secret: string }>('rotate_webhook_secret', { webhook_id: id }),
  })
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
    await submitWork(async () => setSecret((await rotation.mutateAsync()).secret), words.rotated)
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
