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
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Timezone } from '../shared/Timezone.tsx'
import { formatList } from '../shared/words.ts'
import { Conflict } from './Conflict.tsx'
import { Holidays } from './Holidays.tsx'
import {
  differingFields,
  organizationPath,
  pick,
  rebaseDraft,
  settingValues,
  type SavedSettings,
  type SettingValues,
} from './settings.ts'
import { Severities } from './Severities.tsx'
import { Stages } from './Stages.tsx'
import { WorkWeek } from './WorkWeek.tsx'

const texts = t.organization.general
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
export function Editor({ stored }: { stored: SavedSettings }) {
  const { base, draft, fresh, edited, sending, set, adopt, drop, save } = useSettingsDraft(stored)
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
            latest={fresh}
            draft={draft}
            onKeep={() => adopt(fresh, rebaseDraft(draft, base, fresh))}
            onDiscard={() => adopt(fresh, settingValues(fresh))}
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
        <SubmissionError submission={sending} fields={fields} />
        {edited.length > 0 && (
          <SaveBar
            editedFields={edited}
            isBusy={sending.isBusy}
            isDisabled={fresh !== undefined}
            onDiscard={drop}
          />
        )}
      </Stack>
    </form>
  )
}

/** `base` is the origin of the draft, `latest` a version that others saved since. */
function useSettingsDraft(stored: SavedSettings) {
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useDraft('organization', settingValues(base))
  const [latest, setLatest] = useState<SavedSettings>()
  const submission = useSubmission()
  const client = useQueryClient()
  const editedFields = differingFields(draft, base)
  const set = (changes: Partial<SettingValues>) => setDraft({ ...draft, ...changes })
  const discard = () => setDraft(settingValues(base))
  const rebaseOn = (newBase: SavedSettings, values: SettingValues) => {
    setBase(newBase)
    setDraft(values)
    setLatest(undefined)
    client.setQueryData(endpointKey(organizationPath, {}), newBase)
  }
  if (stored.revision > base.revision && editedFields.length === 0 && !latest)
    rebaseOn(stored, settingValues(stored))

  const save = async () => {
    try {
      const saved = await post(organizationPath, {
        ...pick(draft, editedFields),
        expected_revision: base.revision,
      })
      rebaseOn(saved, settingValues(saved))
      await client.invalidateQueries({ queryKey: sessionKey })
      notifySuccess(texts.saved)
    } catch (error) {
      if (!(error instanceof ApiError) || error.field !== 'expected_revision') throw error
      setLatest(await get(organizationPath, {}))
    }
  }
  return {
    base,
    draft,
    fresh: latest,
    edited: editedFields,
    sending: submission,
    set,
    adopt: rebaseOn,
    drop: discard,
    save,
  }
}

interface GeneralProps {
  draft: SettingValues
  set: (changes: Partial<SettingValues>) => void
  errors: ReturnType<typeof useSubmission>['errors']
}

function General({ draft, set, errors }: GeneralProps) {
  return (
    <SettingsSection title={texts.profile}>
      <TextInput
        label={texts.fields.name}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={errors.name}
        required
        maxLength={200}
        dir="auto"
      />
      <Timezone
        label={texts.fields.default_timezone}
        description={texts.timezoneText}
        value={draft.default_timezone}
        onChange={(default_timezone) => set({ default_timezone })}
        error={errors.default_timezone}
      />
      <NumberInput
        label={texts.fields.trash_days}
        description={texts.trashText}
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
  editedFields: ReturnType<typeof differingFields>
  isBusy: boolean
  isDisabled: boolean
  onDiscard: () => void
}

function SaveBar({ editedFields, isBusy, isDisabled, onDiscard }: SaveBarProps) {
  return (
    <Paper withBorder p="sm" shadow="sm" pos="sticky" bottom={8} style={{ zIndex: 2 }}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status" flex="1 1 12rem">
          {texts.edited(formatList(editedFields.map((field) => texts.fields[field])))}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={onDiscard}>
            {texts.drop}
          </Button>
          <Button type="submit" loading={isBusy} disabled={isDisabled}>
            {t.app.save}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}
