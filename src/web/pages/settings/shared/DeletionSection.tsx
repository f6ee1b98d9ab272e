import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { confirm } from '../../../ui/confirm.tsx'
import { SettingsSection } from './Section.tsx'
import { submitWork } from './sending.tsx'

interface DeletionSectionProps {
  /** Label of the button and the section. */
  action: string
  text: string
  question: string
  remove: () => Promise<unknown>
  /** Message after the deletion. */
  done: string
  /** Destination after the deletion. */
  to: string
}

/** Deletes the subject of a settings page after a confirmation. */
export function DeletionSection(props: DeletionSectionProps) {
  const { action, text, question, remove, done, to } = props
  const navigate = useNavigate()
  const ask = async () => {
    if (!(await confirm({ title: question, text, action }))) return
    if (await submitWork(remove, done)) await navigate({ to })
  }
  return (
    <SettingsSection
      title={action}
      about={text}
      actions={
        <Button color="red" variant="outline" onClick={() => void ask()}>
          {action}
        </Button>
      }
    >
      {null}
    </SettingsSection>
  )
}
