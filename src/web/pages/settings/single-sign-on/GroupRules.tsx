import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { randomId } from '../../../store/index.ts'
import { settingsTexts as t } from '../texts.ts'
import { useAllItems } from '../shared/lists.ts'
import type { TypedRule } from './provider.ts'
import type { FieldsProps } from './ProviderFields.tsx'

const words = t.singleSignOn

export function GroupRules({ values, sending, set }: FieldsProps) {
  const teams = useAllItems('list_teams', {})
  const choices = [
    {
      group: words.roles,
      items: Object.entries(words.role).map(([role, label]) => ({ value: `role:${role}`, label })),
    },
    {
      group: words.teams,
      items: (teams.data ?? []).map(({ id, name }) => ({ value: `team:${id}`, label: name })),
    },
  ]
  const change = (index: number, more: Partial<TypedRule>) =>
    set({ rules: values.rules.map((rule, n) => (n === index ? { ...rule, ...more } : rule)) })
  const add = () => set({ rules: [...values.rules, { key: randomId(), group: '', gives: null }] })
  return (
    <Stack gap="sm">
      <TextInput
        label={words.groupsClaim}
        description={words.groupsClaimText}
        value={values.groups_claim}
        onChange={(event) => set({ groups_claim: event.currentTarget.value })}
        error={sending.errors.groups_claim}
      />
      {values.rules.map((rule, index) => (
        <Group key={rule.key} gap="xs" align="flex-end">
          <TextInput
            flex="1 1 10rem"
            label={words.group(index + 1)}
            placeholder={words.groupName}
            value={rule.group}
            onChange={(event) => change(index, { group: event.currentTarget.value })}
            required
            dir="auto"
          />
          <Select
            flex="1 1 10rem"
            label={words.gives(index + 1)}
            data={choices}
            value={rule.gives}
            onChange={(gives) => change(index, { gives })}
            required
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={words.removeRule(index + 1)}
            onClick={() => set({ rules: values.rules.filter((_, n) => n !== index) })}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      {sending.errors.rules && (
        <Text size="sm" c="red" role="alert">
          {sending.errors.rules}
        </Text>
      )}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
          {words.addRule}
        </Button>
      </Group>
    </Stack>
  )
}
