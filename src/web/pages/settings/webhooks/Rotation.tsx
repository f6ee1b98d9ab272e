import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { callByName } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { runAction } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Secret } from './CreateWebhook.tsx'

const texts = t.organization.webhooks

/** Gives a webhook a new secret. */
export function Rotation({ id }: { id: string }) {
  const [secret, setSecret] = useState<string>()
  const rotation = useMutation({
    mutationFn: () => callByName<{ secret: string }>('rotate_webhook_secret', { webhook_id: id }),
  })
  const rotate = async () => {
    if (
      !(await confirm({
        title: texts.rotateTitle,
        text: texts.rotateText,
        action: texts.rotate,
        isDangerous: false,
      }))
    )
      return
    await runAction(async () => setSecret((await rotation.mutateAsync()).secret), texts.rotated)
  }
  return (
    <SettingsSection
      title={texts.secret}
      description={texts.rotateText}
      actions={
        <Button variant="default" loading={rotation.isPending} onClick={() => void rotate()}>
          {texts.rotate}
        </Button>
      }
    >
      {secret !== undefined && (
        <Secret secret={secret} title={texts.rotated} onClose={() => setSecret(undefined)} />
      )}
    </SettingsSection>
  )
}
