import { Button, Modal, MultiSelect, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { useAllItems } from '../shared/lists.ts'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import type { Team } from './team.ts'
import { SaveRow } from '../shared/SaveRow.tsx'

const texts = t.organization.teams
const fields = ['name', 'description', 'member_ids', 'person_id', 'lead_id']

interface TeamValues {
  name: string
  description: string
  memberIds: string[]
  leadId: string | null
}

const teamValues = (team: Team | undefined): TeamValues => ({
  name: team?.name ?? '',
  description: team?.description ?? '',
  memberIds: team?.members.map((member) => member.person.id) ?? [],
  leadId: team?.lead?.id ?? null,
})

async function saveTeam(
  team: Team | undefined,
  { name, description, memberIds, leadId }: TeamValues,
): Promise<void> {
  if (!team) {
    await call('create_team', {
      name,
      member_ids: memberIds,
      ...(description.trim() === '' ? {} : { description }),
      ...(leadId === null ? {} : { lead_id: leadId }),
    })
    return
  }
  const stored = teamValues(team)
  await call('update_team', {
    team_id: team.id,
    name,
    description: description.trim() || null,
    ...(leadId === stored.leadId ? {} : { lead_id: leadId }),
  })
  for (const person_id of memberIds.filter((id) => !stored.memberIds.includes(id) && id !== leadId))
    await call('add_team_member', { team_id: team.id, person_id })
  for (const person_id of stored.memberIds.filter((id) => !memberIds.includes(id)))
    await call('remove_team_member', { team_id: team.id, person_id })
}

/** Creates or edits a team. */
export function TeamDialog({ team, onClose }: { team?: Team; onClose: () => void }) {
  const [values, setValues] = useState(() => teamValues(team))
  const submission = useSubmission()
  const client = useQueryClient()
  const set = (changes: Partial<TeamValues>) => setValues({ ...values, ...changes })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission
      .send(async () => {
        await saveTeam(team, values)
        notifySuccess(team ? texts.saved(values.name) : texts.created(values.name))
        onClose()
      })
      .finally(() => void client.invalidateQueries({ queryKey: ['call', 'list_teams'] }))
  }
  return (
    <Modal opened onClose={onClose} title={team ? texts.editNamed(team.name) : texts.create}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.name}
            value={values.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={submission.errors.name}
            required
            maxLength={200}
            data-autofocus
            dir="auto"
          />
          <Textarea
            label={texts.description}
            value={values.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
            error={submission.errors.description}
            maxLength={2000}
            autosize
            minRows={2}
            dir="auto"
          />
          <MemberFields team={team} values={values} set={set} errors={submission.errors} />
          <SubmissionError submission={submission} fields={fields} />
          <SaveRow isBusy={submission.isBusy}>
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
  values: TeamValues
  set: (changes: Partial<TeamValues>) => void
  errors: ReturnType<typeof useSubmission>['errors']
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
      memberIds: members,
      leadId: values.leadId !== null && members.includes(values.leadId) ? values.leadId : null,
    })
  return (
    <>
      <MultiSelect
        label={texts.members}
        data={options}
        value={values.memberIds}
        onChange={setMembers}
        error={errors.member_ids ?? errors.person_id}
        searchable
        hidePickedOptions
      />
      <Select
        label={texts.leadLabel}
        data={options.filter((option) => values.memberIds.includes(option.value))}
        value={values.leadId}
        onChange={(lead) => set({ leadId: lead })}
        error={errors.lead_id}
        clearable
        placeholder={texts.noLead}
      />
    </>
  )
}
