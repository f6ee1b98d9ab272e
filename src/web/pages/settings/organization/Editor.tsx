import { endpointKey } from '../../../api/queries.ts'
import { Button, Group, NumberInput, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { get, post } from '../../../api/client.ts'
import { ApiError } from '../../../api/problem.ts'
import { sessionKey } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { useDraft } from '../../../ui/drafts.ts'
import { Refused, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Timezone } from '../shared/Timezone.tsx'
import { formatList } from '../shared/words.ts'
import { Conflict } from './Conflict.tsx'
import { Holidays } from './Holidays.tsx'
import {
  differing,
  organizationPath,
  pick,
  rebased,
  settingValues,
  type SavedSettings,
  type SettingValues,
} from './settings.ts'
import { Severities } from './Severities.tsx'
import { Stages } from './Stages.tsx'
import { WorkWeek } from './WorkWeek.tsx'

const words = t.organization.general
const fields = [
  'name',
  'default_timezone',
  'trash_days',
  'work_week',
  'holidays',
  'severity_scale',
  'deal_stages',
]

/** Edits the settings. Conflicting changes are detected when saving. */
export function Editor({ settled }: { settled: SavedSettings }) {
  const { base, draft, fresh, edited, sending, set, adopt, drop, save } = useSettingsDraft(settled)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(save)
  }
  const { errors } = sending
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {fresh && (
          <Conflict
            base={base}
            fresh={fresh}
            draft={draft}
            onKeep={() => adopt(fresh, rebased(draft, base, fresh))}
            onDrop={() => adopt(fresh, settingValues(fresh))}
          />
        )}
        <General draft={draft} set={set} errors={errors} />
        <WorkWeek
          value={draft.work_week}
          onChange={(work_week) => set({ work_week })}
          error={errors.work_week}
        />
        <Holidays
          value={draft.holidays}
          onChange={(holidays) => set({ holidays })}
          errors={errors}
        />
        <Severities
          value={draft.severity_scale}
          onChange={(severity_scale) => set({ severity_scale })}
          errors={errors}
        />
        <Stages
          value={draft.deal_stages}
          onChange={(deal_stages) => set({ deal_stages })}
          error={errors.deal_stages}
        />
        <Refused submission={sending} fields={fields} />
        {edited.length > 0 && (
          <SaveBar
            edited={edited}
            isBusy={sending.isBusy}
            isDisabled={fresh !== undefined}
            onDrop={drop}
          />
        )}
      </Stack>
    </form>
  )
}

/** `base` is the origin of the draft, `fresh` a version that others saved since. */
function useSettingsDraft(settled: SavedSettings) {
  const [base, setBase] = useState(settled)
  const [draft, setDraft] = useDraft('organization', settingValues(base))
  const [fresh, setFresh] = useState<SavedSettings>()
  const sending = useSending()
  const client = useQueryClient()
  const edited = differing(draft, base)
  const set = (more: Partial<SettingValues>) => setDraft({ ...draft, ...more })
  const drop = () => setDraft(settingValues(base))
  const adopt = (to: SavedSettings, values: SettingValues) => {
    setBase(to)
    setDraft(values)
    setFresh(undefined)
    client.setQueryData(endpointKey(organizationPath, {}), to)
  }
  if (settled.revision > base.revision && edited.length === 0 && !fresh)
    adopt(settled, settingValues(settled))

  const save = async () => {
    try {
      const saved = await post(organizationPath, {
        ...pick(draft, edited),
        expected_revision: base.revision,
      })
      adopt(saved, settingValues(saved))
      await client.invalidateQueries({ queryKey: sessionKey })
      notifySuccess(words.saved)
    } catch (error) {
      if (!(error instanceof ApiError) || error.field !== 'expected_revision') throw error
      setFresh(await get(organizationPath, {}))
    }
  }
  return { base, draft, fresh, edited, sending, set, adopt, drop, save }
}

interface GeneralProps {
  draft: SettingValues
  set: (more: Partial<SettingValues>) => void
  errors: ReturnType<typeof useSending>['errors']
}

function General({ draft, set, errors }: GeneralProps) {
  return (
    <SettingsSection title={words.profile}>
      <TextInput
        label={words.fields.name}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={errors.name}
        required
        maxLength={200}
        dir="auto"
      />
      <Timezone
        label={words.fields.default_timezone}
        description={words.timezoneText}
        value={draft.default_timezone}
        onChange={(default_timezone) => set({ default_timezone })}
        error={errors.default_timezone}
      />
      <NumberInput
        label={words.fields.trash_days}
        description={words.trashText}
        value={draft.trash_days}
        onChange={(days) => set({ trash_days: Number(days) })}
        error={errors.trash_days}
        min={1}
        max={3650}
        allowDecimal={false}
        w={{ base: '100%', xs: 240 }}
      />
    </SettingsSection>
  )
}

interface SaveBarProps {
  edited: ReturnType<typeof differing>
  isBusy: boolean
  isDisabled: boolean
  onDrop: () => void
}

function SaveBar({ edited, isBusy, isDisabled, onDrop }: SaveBarProps) {
  return (
    <Paper withBorder p="sm" shadow="sm" pos="sticky" bottom={8} style={{ zIndex: 2 }}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status" flex="1 1 12rem">
          {words.edited(formatList(edited.map((field) => words.fields[field])))}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onDrop}>
            {words.drop}
          </Button>
          <Button type="submit" loading={isBusy} disabled={isDisabled}>
            {t.app.save}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
