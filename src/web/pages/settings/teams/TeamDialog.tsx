import { Button, Modal, MultiSelect, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { useAllItems } from '../shared/lists.ts'
import { Refused, useSending } from '../shared/sending.tsx'
import type { Team } from './team.ts'
import { SaveRow } from '../shared/SaveRow.tsx'

const words = t.organization.teams
const fields = ['name', 'description', 'member_ids', 'person_id', 'lead_id']

interface Typed {
  name: string
  description: string
  members: string[]
  lead: string | null
}

const asTyped = (team: Team | undefined): Typed => ({
  name: team?.name ?? '',
  description: team?.description ?? '',
  members: team?.members.map((member) => member.person.id) ?? [],
  lead: team?.lead?.id ?? null,
})

async function saveTeam(
  team: Team | undefined,
  { name, description, members, lead }: Typed,
): Promise<void> {
  if (!team) {
    await call('create_team', {
      name,
      member_ids: members,
      ...(description.trim() === '' ? {} : { description }),
      ...(lead === null ? {} : { lead_id: lead }),
    })
    return
  }
  const before = asTyped(team)
  await call('update_team', {
    team_id: team.id,
    name,
    description: description.trim() || null,
    ...(lead === before.lead ? {} : { lead_id: lead }),
  })
  for (const person_id of members.filter((id) => !before.members.includes(id) && id !== lead))
    await call('add_team_member', { team_id: team.id, person_id })
  for (const person_id of before.members.filter((id) => !members.includes(id)))
    await call('remove_team_member', { team_id: team.id, person_id })
}

/** Creates or edits a team. */
export function TeamDialog({ team, onClose }: { team?: Team; onClose: () => void }) {
  const [values, setValues] = useState(() => asTyped(team))
  const sending = useSending()
  const client = useQueryClient()
  const set = (more: Partial<Typed>) => setValues({ ...values, ...more })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending
      .send(async () => {
        await saveTeam(team, values)
        notifySuccess(team ? words.saved(values.name) : words.created(values.name))
        onClose()
      })
      .finally(() => void client.invalidateQueries({ queryKey: ['call', 'list_teams'] }))
  }
  return (
    <Modal opened onClose={onClose} title={team ? words.editNamed(team.name) : words.create}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.name}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={sending.errors.name}
            required
            maxLength={200}
            data-autofocus
            dir="auto"
          />
          <Textarea
            label={words.description}
            value={values.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
            error={sending.errors.description}
            maxLength={2000}
            autosize
            minRows={2}
            dir="auto"
          />
          <MemberFields team={team} values={values} set={set} errors={sending.errors} />
          <Refused submission={sending} fields={fields} />
          <SaveRow isBusy={sending.isBusy}>
            <Button variant="default" onClick={onClose}>
              {t.app.cancel}
            </Button>
          </SaveRow>
        </Stack>
      </form>
    </Modal>
  )
}

interface MemberFieldsProps {
  team: Team | undefined
  values: Typed
  set: (more: Partial<Typed>) => void
  errors: ReturnType<typeof useSending>['errors']
}

/** The members, and the lead among them. */
function MemberFields({ team, values, set, errors }: MemberFieldsProps) {
  const people = useAllItems('list_people', { status: 'active' })
  const namesById = new Map([
    ...(team?.members.map((member) => [member.person.id, member.person.title] as const) ?? []),
    ...(people.data?.map((person) => [person.id, person.display_name] as const) ?? []),
  ])
  const options = [...namesById].map(([value, label]) => ({ value, label }))
  const setMembers = (members: string[]) =>
    set({
      members,
      lead: values.lead !== null && members.includes(values.lead) ? values.lead : null,
    })
  return (
    <>
      <MultiSelect
        label={words.members}
        data={options}
        value={values.members}
        onChange={setMembers}
        error={errors.member_ids ?? errors.person_id}
        searchable
        hidePickedOptions
      />
      <Select
        label={words.leadLabel}
        data={options.filter((option) => values.members.includes(option.value))}
        value={values.lead}
        onChange={(lead) => set({ lead })}
        error={errors.lead_id}
        clearable
        placeholder={words.noLead}
      />
    </>
  )
}
