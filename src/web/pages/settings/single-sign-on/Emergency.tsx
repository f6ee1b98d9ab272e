import { ActionIcon, Button, Group, Select, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import type { SsoSettings } from '../../../api/operations.ts'
import { usePost } from '../../../api/queries.ts'
import { useAllItems } from '../shared/lists.ts'
import { Row, Rows } from '../shared/Rows.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { runAction } from '../shared/sending.tsx'
import { Tag } from '../shared/State.tsx'
import { settingsTexts as t } from '../texts.ts'
import { settingsPath } from './provider.ts'

const texts = t.singleSignOn

/** People who can sign in without the provider. */
export function Emergency({ settings: { emergency } }: { settings: SsoSettings }) {
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const people = useAllItems('list_people', { status: 'active' })
  const setEmergency = usePost('/web/sso/emergency', [settingsPath])
  const emergencyIds = new Set(emergency.map(({ id }) => id))
  const change = (person_id: string, isEmergency: boolean) =>
    runAction(
      () => setEmergency.mutateAsync({ person_id, emergency: isEmergency }),
      isEmergency ? texts.isEmergency : texts.isNoEmergency,
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (selectedId !== null)
      void change(selectedId, true).then((isDone) => isDone && setSelectedId(null))
  }
  return (
    <SettingsSection title={texts.emergency} description={texts.emergencyText}>
      {emergency.length === 0 ? (
        <Text size="sm">{texts.noEmergency}</Text>
      ) : (
        <Rows label={texts.emergency}>
          {emergency.map(({ id, name, email, is_admin }) => (
            <Row
              key={id}
              title={name}
              badge={is_admin && <Tag>{texts.administrator}</Tag>}
              actions={
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size="lg"
                  aria-label={texts.removeEmergency(name)}
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
            label={texts.addEmergency}
            data={(people.data ?? [])
              .filter(({ id }) => !emergencyIds.has(id))
              .map(({ id, display_name }) => ({ value: id, label: display_name }))}
            value={selectedId}
            onChange={setSelectedId}
            searchable
          />
          <Button type="submit" variant="default" disabled={selectedId === null}>
            {texts.addEmergencyAction}
          </Button>
        </Group>
      </form>
    </SettingsSection>
  )
}
