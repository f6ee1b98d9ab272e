import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { confirm } from '../../../ui/confirm.tsx'
import { SettingsSection } from './Section.tsx'
import { runAction } from './sending.tsx'

interface DeletionSectionProps {
  /** Label of the button and the section. */
  action: string
  text: string
  question: string
  remove: () => Promise<unknown>
  /** Message after the deletion. */
  doneMessage: string
  /** Destination after the deletion. */
  to: string
}

/** Deletes the subject of a settings page after a confirmation. */
export function DeletionSection(props: DeletionSectionProps) {
  const { action, text, question, remove, doneMessage, to } = props
  const navigate = useNavigate()
  const confirmDeletion = async () => {
    if (!(await confirm({ title: question, text, action }))) return
    if (await runAction(remove, doneMessage)) await navigate({ to })
  }
  return (
    <SettingsSection
      title={action}
      description={text}
      actions={
        <Button color="red" variant="outline" onClick={() => void confirmDeletion()}>
          {action}
        </Button>
      }
    >
      {null}
    </SettingsSection>
  )
}
