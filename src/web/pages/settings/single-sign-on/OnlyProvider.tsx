import { Alert, Switch } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { SsoSettings } from '../../../api/operations.ts'
import { usePost } from '../../../api/queries.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { runAction } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { settingsPath } from './provider.ts'

const texts = t.singleSignOn

/** Whether passwords and passkeys work only for emergency accounts. */
export function OnlyProvider({
  settings: { only, providers, emergency },
}: {
  settings: SsoSettings
}) {
  const setOnly = usePost('/web/sso/only', [settingsPath])
  const isPossible = providers.length > 0 && emergency.some((account) => account.is_admin)
  const change = async (isOnly: boolean) => {
    const { onlyTitle: title, onlyWarning: text, onlyAction: action } = texts
    if (isOnly && !(await confirm({ title, text, action }))) return
    await runAction(
      () => setOnly.mutateAsync({ only: isOnly }),
      isOnly ? texts.isOnly : texts.isNotOnly,
    )
  }
  return (
    <SettingsSection title={texts.only} description={texts.onlyText}>
      <Switch
        label={texts.onlySwitch}
        checked={only}
        disabled={setOnly.isPending || (!only && !isPossible)}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {!only && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
          {isPossible ? texts.onlyWarning : texts.emergencyText}
        </Alert>
      )}
    </SettingsSection>
  )
}
