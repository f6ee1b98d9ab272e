import { Box, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useId } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { keyTexts as t } from '../texts.ts'
import { QueryContent } from '../../../ui/states.tsx'
import type { Access, KeyValues } from './form.ts'

/** Areas that a key may use, and those that it may only read. */
export function Areas({ form }: { form: UseFormReturnType<KeyValues> }) {
  const { hasAllAreas, readOnly, areas } = form.values
  const label = useId()
  const text = t.keys.form
  const choose = (area: string, access: string) => {
    const { [area]: _, ...others } = areas
    form.setFieldValue('areas', access === 'off' ? others : { ...others, [area]: access as Access })
  }
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id={label}>
        {text.areas}
      </Text>
      <SegmentedControl
        aria-labelledby={label}
        value={hasAllAreas ? 'all' : 'some'}
        onChange={(value) => form.setFieldValue('hasAllAreas', value === 'all')}
        data={[
          { value: 'all', label: text.allAreas },
          { value: 'some', label: text.someAreas },
        ]}
      />
      {!hasAllAreas && <Choice areas={areas} isReadOnly={readOnly} choose={choose} />}
      {form.errors.areas && (
        <Text size="xs" c="red" role="alert">
          {form.errors.areas}
        </Text>
      )}
    </Stack>
  )
}

function Choice({
  areas,
  isReadOnly,
  choose,
}: {
  areas: Record<string, Access>
  isReadOnly: boolean
  choose: (area: string, access: string) => void
}) {
  const me = useOperation('get_me', {})
  const { off, ro, rw } = t.keys.form.access
  const options = [
    { value: 'off', label: off },
    { value: 'ro', label: ro },
    ...(isReadOnly ? [] : [{ value: 'rw', label: rw }]),
  ]
  return (
    <QueryContent query={me}>
      {({ enabled_modules }) => (
        <Box role="group" aria-label={t.keys.form.pick} mah={260} className="rows boxed">
          {enabled_modules.map((area) => (
            <Group key={area} justify="space-between" wrap="nowrap" px="sm" py={4}>
              <Text size="sm" component="label" htmlFor={`area-${area}`}>
                {areaName(area)}
              </Text>
              <NativeSelect
                id={`area-${area}`}
                size="xs"
                w={150}
                data={options}
                value={isReadOnly && areas[area] === 'rw' ? 'ro' : (areas[area] ?? 'off')}
                onChange={(event) => choose(area, event.currentTarget.value)}
              />
            </Group>
          ))}
        </Box>
      )}
    </QueryContent>
  )
}

export function areaName(area: string): string {
  return t.keys.areas[area] ?? area
}
