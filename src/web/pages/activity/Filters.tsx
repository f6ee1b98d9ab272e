import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { activityTexts as t } from './texts.ts'
import styles from './activity.module.css'
import { moreFilterNames, type Filter } from './filter.ts'
import { MoreFilters } from './MoreFilters.tsx'

const text = t.activity.filters
const toOptions = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))
const { ok, error, denied } = t.activity.outcome
const statuses = [{ value: '', label: text.anyStatus }, ...toOptions({ ok, error, denied })]

/** Filters of the log, stored in the address. */
export function Filters({
  filter,
  change,
  clear,
}: {
  filter: Filter
  change: (patch: Filter) => void
  clear: () => void
}) {
  const activeMoreCount = moreFilterNames.filter((name) => filter[name] !== undefined).length
  const [isOpen, { toggle }] = useDisclosure(activeMoreCount > 0)
  const isFiltered = Object.keys(filter).some((name) => name !== 'of')
  return (
    <Stack gap="xs" role="search" aria-label={text.label}>
      <div className={styles.filters}>
        <SearchField value={filter.text ?? ''} change={(value) => change({ text: value })} />
        <NativeSelect
          size="xs"
          aria-label={text.source}
          value={filter.source ?? 'keys'}
          data={toOptions(text.sources)}
          onChange={(event) =>
            change({
              source: event.currentTarget.value === 'keys' ? '' : event.currentTarget.value,
            })
          }
        />
        <NativeSelect
          size="xs"
          aria-label={text.status}
          value={filter.status ?? ''}
          data={statuses}
          onChange={(event) => change({ status: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          aria-label={text.period}
          value={filter.period ?? 'any'}
          data={toOptions(text.periods)}
          onChange={(event) =>
            change({
              period: event.currentTarget.value === 'any' ? '' : event.currentTarget.value,
              from: '',
              to: '',
            })
          }
        />
        {filter.period === 'range' && (
          <>
            <TextInput
              size="xs"
              type="date"
              aria-label={text.from}
              value={filter.from ?? ''}
              max={filter.to}
              onChange={(event) => change({ from: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              type="date"
              aria-label={text.to}
              value={filter.to ?? ''}
              min={filter.from}
              onChange={(event) => change({ to: event.currentTarget.value })}
            />
          </>
        )}
      </div>
      {isOpen && <MoreFilters filter={filter} change={change} />}
      <Group gap="xs">
        <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? text.fewer : text.more}
          {!isOpen && activeMoreCount > 0 && ` (${text.on(activeMoreCount)})`}
        </Button>
        {isFiltered && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={clear}>
            {text.clear}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function SearchField({ value, change }: { value: string; change: (value: string) => void }) {
  const [draftText, setDraftText] = useState<string>() // while typing; the address is updated after a delay
  const changeDebounced = useDebouncedCallback(change, 250)
  return (
    <TextInput
      className={styles.wideField}
      size="xs"
      type="search"
      aria-label={text.text}
      placeholder={text.text}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={draftText ?? value}
      maxLength={200}
      onBlur={() => {
        changeDebounced.flush()
        setDraftText(undefined)
      }}
      onChange={(event) => {
        setDraftText(event.currentTarget.value)
        changeDebounced(event.currentTarget.value.trim())
      }}
    />
  )
}
