import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useOperation } from '../../../../api/queries.ts'
import { settingsTexts as t } from '../../texts.ts'
import {
  updateCondition,
  conditionFields,
  newCondition,
  opsOf,
  valueKind,
  type ConditionDraft,
  type ConditionField,
} from './rule.ts'
import { AddRow } from './RuleForm.tsx'
import { rowError, RuleRow, RuleRows } from './RuleRow.tsx'

const texts = t.accounts.mail
const { form } = texts

interface ConditionRowsProps {
  title: string
  /** Path of the rows in error responses. */
  path: string
  rows: readonly ConditionDraft[]
  change: (rows: ConditionDraft[]) => void
  errors: Record<string, string>
}

/** Conditions of a rule, each as a sentence of selects. */
export function ConditionRows({ title, path, rows, change, errors }: ConditionRowsProps) {
  const [addedKey, setAddedKey] = useState<string>()
  const set = (changedRow: ConditionDraft) =>
    change(rows.map((row) => (row.key === changedRow.key ? changedRow : row)))
  const add = () => {
    const row = newCondition()
    setAddedKey(row.key)
    change([...rows, row])
  }
  return (
    <RuleRows title={title}>
      {rows.map((row, index) => (
        <RuleRow
          key={row.key}
          removeLabel={form.removeCondition(index + 1)}
          remove={() => change(rows.filter(({ key }) => key !== row.key))}
          error={rowError(errors, `${path}[${index}]`)}
          isNew={row.key === addedKey}
        >
          <ConditionSentence row={row} rowNumber={index + 1} set={set} />
        </RuleRow>
      ))}
      <AddRow label={form.addCondition} add={add} />
    </RuleRows>
  )
}

interface SentenceProps {
  row: ConditionDraft
  rowNumber: number
  set: (row: ConditionDraft) => void
}

function ConditionSentence({ row, rowNumber, set }: SentenceProps) {
  const operators = opsOf(row)
  return (
    <>
      <NativeSelect
        aria-label={form.field(rowNumber)}
        value={row.field}
        onChange={(event) =>
          set(updateCondition(row, { field: event.currentTarget.value as ConditionField }))
        }
        data={conditionFields.map((value) => ({ value, label: texts.fields[value] ?? value }))}
      />
      {operators.length > 1 && (
        <NativeSelect
          aria-label={form.op(rowNumber)}
          value={row.op}
          onChange={(event) => {
            const op = operators.find((item) => item === event.currentTarget.value)
            set(updateCondition(row, op === undefined ? {} : { op }))
          }}
          data={operators.map((value) => ({
            value,
            label:
              row.field === 'list' && value === 'is' ? form.isThere : (texts.ops[value] ?? value),
          }))}
        />
      )}
      <ConditionValue row={row} rowNumber={rowNumber} set={set} />
    </>
  )
}

function ConditionValue({ row, rowNumber, set }: SentenceProps) {
  const label = form.value(rowNumber)
  const kind = valueKind(row)
  if (kind === 'truth')
    return (
      <NativeSelect
        aria-label={label}
        value={String(row.value)}
        onChange={(event) => set({ ...row, value: event.currentTarget.value === 'true' })}
        data={[
          { value: 'true', label: form.yes },
          { value: 'false', label: form.no },
        ]}
      />
    )
  if (kind === 'number')
    return (
      <NumberInput
        aria-label={label}
        value={Number(row.value)}
        onChange={(value) => set({ ...row, value: Number(value) })}
        min={0}
        thousandSeparator=","
        w="9rem"
      />
    )
  if (row.field === 'account') return <AccountValue row={row} rowNumber={rowNumber} set={set} />
  return (
    <TextInput
      aria-label={label}
      value={String(row.value)}
      onChange={(event) => set({ ...row, value: event.currentTarget.value })}
      maxLength={500}
      flex="1 1 10rem"
      required
      dir="auto"
    />
  )
}

function AccountValue({ row, rowNumber, set }: SentenceProps) {
  const { data } = useOperation('list_email_accounts', {}, { staleTime: 300_000 })
  const value = String(row.value)
  const addresses = (data?.items ?? []).map(({ address }) => address)
  return (
    <NativeSelect
      aria-label={form.value(rowNumber)}
      value={value}
      onChange={(event) => set({ ...row, value: event.currentTarget.value })}
      data={[...new Set([value, ...addresses])]}
      required
    />
  )
}
