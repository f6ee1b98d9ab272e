import {
  Autocomplete,
  Checkbox,
  NativeSelect,
  NumberInput,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { useProjects } from '../../../tasks/data/lists.ts'
import { useAllItems } from '../../shared/lists.ts'
import { settingsTexts as t } from '../../texts.ts'
import { newAction, type RuleActionDraft, type RuleActionType } from './rule.ts'
import { AddRow } from './RuleForm.tsx'
import { rowError, RuleRow, RuleRows } from './RuleRow.tsx'

const texts = t.accounts.mail
const { form } = texts
const types = Object.keys(texts.actions) as RuleActionType[]

interface ActionRowsProps {
  rows: readonly RuleActionDraft[]
  change: (rows: RuleActionDraft[]) => void
  errors: Record<string, string>
}

export function ActionRows({ rows, change, errors }: ActionRowsProps) {
  const [addedKey, setAdded] = useState<string>()
  const set = (changedRow: RuleActionDraft) =>
    change(rows.map((row) => (row.key === changedRow.key ? changedRow : row)))
  const add = () => {
    const usedTypes = new Set(rows.map(({ type }) => type))
    const row = newAction(types.find((type) => !usedTypes.has(type)))
    setAdded(row.key)
    change([...rows, row])
  }
  return (
    <RuleRows title={texts.then}>
      {rows.map((row, index) => (
        <RuleRow
          key={row.key}
          removeLabel={form.removeAction(index + 1)}
          remove={() => change(rows.filter(({ key }) => key !== row.key))}
          error={rowError(errors, `actions[${index}]`)}
          isNew={row.key === addedKey}
        >
          <NativeSelect
            aria-label={form.action(index + 1)}
            value={row.type}
            onChange={(event) => {
              const type = event.currentTarget.value as RuleActionType
              set({ ...newAction(type), key: row.key })
            }}
            data={types.map((value) => ({ value, label: texts.actions[value] ?? value }))}
          />
          <Params row={row} set={set} />
        </RuleRow>
      ))}
      {rows.length < 10 && <AddRow label={form.addAction} add={add} />}
    </RuleRows>
  )
}

interface ParamsProps {
  row: RuleActionDraft
  set: (row: RuleActionDraft) => void
}

function Params({ row, set }: ParamsProps) {
  switch (row.type) {
    case 'label':
    case 'move':
      return <LabelOrFolderParams row={row} set={set} />
    case 'snooze':
      return <SnoozeParams row={row} set={set} />
    case 'create_task':
      return <TaskParams row={row} set={set} />
    case 'notify':
      return (
        <TextInput
          aria-label={form.notice}
          placeholder={form.notice}
          value={row.params.text ?? ''}
          onChange={(event) => set({ ...row, params: { text: event.currentTarget.value } })}
          maxLength={500}
          flex="1 1 10rem"
          dir="auto"
        />
      )
    default:
      return null
  }
}

/** Folders that every mailbox has. */
const standardFolders = ['inbox', 'archive', 'trash', 'spam']

function LabelOrFolderParams({ row, set }: ParamsProps) {
  const emailLabels = useAllItems('list_email_labels', {}).data ?? []
  const namesOf = (kind: string) =>
    emailLabels.filter((item) => item.kind === kind).map(({ name }) => name)
  if (row.type === 'move')
    return (
      <Autocomplete
        aria-label={form.folder}
        placeholder={form.folder}
        value={row.params.folder ?? ''}
        onChange={(folder) => set({ ...row, params: { folder } })}
        data={[...new Set([...standardFolders, ...namesOf('folder')])]}
        flex="1 1 10rem"
        required
      />
    )
  return (
    <TagsInput
      aria-label={form.labels}
      placeholder={(row.params.label ?? []).length === 0 ? form.labels : ''}
      value={row.params.label ?? []}
      onChange={(label) => set({ ...row, params: { label } })}
      data={[...new Set(namesOf('label'))]}
      acceptValueOnBlur
      maxTags={20}
      flex="1 1 10rem"
    />
  )
}

function SnoozeParams({ row, set }: ParamsProps) {
  const { hours, until_reply } = row.params
  return (
    <>
      <NumberInput
        aria-label={form.hours}
        value={hours ?? ''}
        onChange={(value) => {
          const { hours: _, ...rest } = row.params
          set({ ...row, params: value === '' ? rest : { ...rest, hours: Number(value) } })
        }}
        suffix={` ${form.hoursUnit}`}
        min={1}
        max={24 * 366}
        w="8rem"
      />
      <Checkbox
        label={form.untilReply}
        checked={until_reply === true}
        onChange={(event) =>
          set({ ...row, params: { ...row.params, until_reply: event.currentTarget.checked } })
        }
      />
    </>
  )
}

function TaskParams({ row, set }: ParamsProps) {
  const { project_id = '', title = '' } = row.params
  const projects = useProjects()
  const isUnknown = project_id !== '' && !projects.some(({ id }) => id === project_id)
  const setParams = (params: RuleActionDraft['params']) =>
    set({ ...row, params: { project_id, title, ...params } })
  return (
    <>
      <NativeSelect
        aria-label={form.project}
        value={project_id}
        onChange={(event) => setParams({ project_id: event.currentTarget.value })}
        data={[
          { value: '', label: form.project },
          ...(isUnknown ? [{ value: project_id, label: project_id }] : []),
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        required
      />
      <TextInput
        aria-label={form.taskTitle}
        placeholder={form.taskTitle}
        value={title}
        onChange={(event) => setParams({ title: event.currentTarget.value })}
        maxLength={500}
        flex="1 1 10rem"
        dir="auto"
      />
    </>
  )
}
