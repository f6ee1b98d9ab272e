import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { randomId } from '../../../store/index.ts'
import { settingsTexts as t } from '../texts.ts'
import { useAllItems } from '../shared/lists.ts'
import type { RuleValues } from './provider.ts'
import type { FieldsProps } from './ProviderFields.tsx'

const texts = t.singleSignOn

export function GroupRules({ values, submission, set }: FieldsProps) {
  const teams = useAllItems('list_teams', {})
  const choices = [
    {
      group: texts.roles,
      items: Object.entries(texts.role).map(([role, label]) => ({ value: `role:${role}`, label })),
    },
    {
      group: texts.teams,
      items: (teams.data ?? []).map(({ id, name }) => ({ value: `team:${id}`, label: name })),
    },
  ]
  const change = (index: number, changes: Partial<RuleValues>) =>
    set({
      rules: values.rules.map((rule, ruleIndex) =>
        ruleIndex === index ? { ...rule, ...changes } : rule,
      ),
    })
  const add = () => set({ rules: [...values.rules, { key: randomId(), group: '', grant: null }] })
  return (
    <Stack gap="sm">
      <TextInput
        label={texts.groupsClaim}
        description={texts.groupsClaimText}
        value={values.groups_claim}
        onChange={(event) => set({ groups_claim: event.currentTarget.value })}
        error={submission.errors.groups_claim}
      />
      {values.rules.map((rule, index) => (
        <Group key={rule.key} gap="xs" align="flex-end">
          <TextInput
            flex="1 1 10rem"
            label={texts.group(index + 1)}
            placeholder={texts.groupName}
            value={rule.group}
            onChange={(event) => change(index, { group: event.currentTarget.value })}
            required
            dir="auto"
          />
          <Select
            flex="1 1 10rem"
            label={texts.gives(index + 1)}
            data={choices}
            value={rule.grant}
            onChange={(grant) => change(index, { grant })}
            required
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={texts.removeRule(index + 1)}
            onClick={() =>
              set({ rules: values.rules.filter((_, ruleIndex) => ruleIndex !== index) })
            }
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      {submission.errors.rules && (
        <Text size="sm" c="red" role="alert">
          {submission.errors.rules}
        </Text>
      )}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
          {texts.addRule}
        </Button>
      </Group>
    </Stack>
  )
}
