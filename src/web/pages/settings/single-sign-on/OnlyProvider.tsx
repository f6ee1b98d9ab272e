import { Alert, Switch } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { SsoSettings } from '../../../api/operations.ts'
import { usePost } from '../../../api/queries.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { submitWork } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { settingsPath } from './provider.ts'

const words = t.singleSignOn

/** Whether passwords and passkeys work only for emergency accounts. */
export function OnlyProvider({
  settings: { only, providers, emergency },
}: {
  settings: SsoSettings
}) {
  const setOnly = usePost('/web/sso/only', [settingsPath])
  const isPossible = providers.length > 0 && emergency.some((account) => account.is_admin)
  const change = async (wanted: boolean) => {
    const { onlyTitle: title, onlyWarning: text, onlyAction: action } = words
    if (wanted && !(await confirm({ title, text, action }))) return
    await submitWork(
      () => setOnly.mutateAsync({ only: wanted }),
      wanted ? words.isOnly : words.isNotOnly,
    )
  }
  return (
    <SettingsSection title={words.only} about={words.onlyText}>
      <Switch
        label={words.onlySwitch}
        checked={only}
        disabled={setOnly.isPending || (!only && !isPossible)}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {!only && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
          {isPossible ? words.onlyWarning : words.emergencyText}
        </Alert>
      )}
    </SettingsSection>
  )
}
