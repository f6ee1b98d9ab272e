import { Badge, Button } from '@mantine/core'
import { settingsTexts as t } from '../texts.ts'

/** Administrator's policy on a program or host; nothing if the settings decide. */
export function PolicyBadge({ policy }: { policy: 'default' | 'allow' | 'refuse' }) {
  if (policy === 'default') return null
  return (
    <Badge variant="light" color={policy === 'refuse' ? 'red' : 'green'}>
      {t.programs.policy[policy]}
    </Badge>
  )
}

/** Resets a policy to the default; `label` names its subject. */
export function ResetPolicyButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="default" aria-label={label} onClick={onClick}>
      {t.programs.reset}
    </Button>
  )
}
