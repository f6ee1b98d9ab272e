import { ActionIcon, Button, Group, Select, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import type { SsoSettings } from '../../../api/operations.ts'
import { usePost } from '../../../api/queries.ts'
import { useAllItems } from '../shared/lists.ts'
import { Row, Rows } from '../shared/Rows.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { submitWork } from '../shared/sending.tsx'
import { Tag } from '../shared/State.tsx'
import { settingsTexts as t } from '../texts.ts'
import { settingsPath } from './provider.ts'

const words = t.singleSignOn

/** People who can sign in without the provider. */
export function Emergency({ settings: { emergency } }: { settings: SsoSettings }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const people = useAllItems('list_people', { status: 'active' })
  const set = usePost('/web/sso/emergency', [settingsPath])
  const marked = new Set(emergency.map(({ id }) => id))
  const change = (person_id: string, isEmergency: boolean) =>
    submitWork(
      () => set.mutateAsync({ person_id, emergency: isEmergency }),
      isEmergency ? words.isEmergency : words.isNoEmergency,
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen !== null) void change(chosen, true).then((isDone) => isDone && setChosen(null))
  }
  return (
    <SettingsSection title={words.emergency} about={words.emergencyText}>
      {emergency.length === 0 ? (
        <Text size="sm">{words.noEmergency}</Text>
      ) : (
        <Rows label={words.emergency}>
          {emergency.map(({ id, name, email, is_admin }) => (
            <Row
              key={id}
              title={name}
              beside={is_admin && <Tag>{words.administrator}</Tag>}
              actions={
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size="lg"
                  aria-label={words.removeEmergency(name)}
                  onClick={() => void change(id, false)}
                >
                  <IconTrash size={18} />
                </ActionIcon>
              }
            >
              {email}
            </Row>
          ))}
        </Rows>
      )}
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <Select
            flex="1 1 12rem"
            label={words.addEmergency}
            data={(people.data ?? [])
              .filter(({ id }) => !marked.has(id))
              .map(({ id, display_name }) => ({ value: id, label: display_name }))}
            value={chosen}
            onChange={setChosen}
            searchable
          />
          <Button type="submit" variant="default" disabled={chosen === null}>
            {words.addEmergencyAction}
          </Button>
        </Group>
      </form>
    </SettingsSection>
  )
}
