import { Box, Group, Loader, ScrollArea, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { t } from '../texts/index.ts'
import { useOptions, type PaletteOption } from './options.tsx'

/** A field with a list of what it leads to: places, and what the search finds. */
export function PaletteBox({ close }: { close: () => void }) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const { options, isSearching, problem, status } = useOptions(query.trim(), close)
  const here = Math.min(at, options.length - 1)
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((here + step + options.length) % options.length)
    else if (event.key === 'Enter') options[here]?.go()
    else return
    event.preventDefault()
  }
  return (
    <Box>
      <TextInput
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={pressed}
        size="md"
        variant="unstyled"
        px="sm"
        data-autofocus
        leftSection={isSearching ? <Loader size={16} /> : <IconSearch size={18} aria-hidden />}
        placeholder={t.app.palette.placeholder}
        aria-label={t.app.palette.label}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={options.length > 0 ? `${list}-${here}` : undefined}
        maxLength={500}
      />
      <ScrollArea.Autosize mah="60dvh" type="auto" className="palette-list">
        <Box id={list} role="listbox" aria-label={t.app.palette.label} p="xs">
          {options.map((option, i) => (
            <Row
              key={option.id}
              option={option}
              id={`${list}-${i}`}
              isHere={i === here}
              isFirst={option.group !== options[i - 1]?.group}
              point={() => setAt(i)}
            />
          ))}
        </Box>
      </ScrollArea.Autosize>
      {problem && (
        <Text size="sm" p="sm" c="dimmed">
          {problem}
        </Text>
      )}
      <VisuallyHidden role="status">{status}</VisuallyHidden>
    </Box>
  )
}

interface RowProps {
  option: PaletteOption
  id: string
  isHere: boolean
  isFirst: boolean
  point: () => void
}

function Row({ option, id, isHere, isFirst, point }: RowProps) {
  return (
    <>
      {isFirst && option.group !== undefined && (
        <Text size="xs" fw={600} c="dimmed" px="xs" pt="xs" pb={4} aria-hidden>
          {option.group}
        </Text>
      )}
      <Box
        id={id}
        role="option"
        aria-selected={isHere}
        className="palette-option"
        ref={(node: HTMLDivElement | null) => {
          if (isHere) node?.scrollIntoView({ block: 'nearest' })
        }}
        onMouseMove={point}
        onClick={option.go}
      >
        <Group wrap="nowrap" gap="sm">
          {option.icon}
          <Box miw={0}>
            <Text size="sm" truncate dir="auto">
              {option.label}
            </Text>
            {option.about && (
              <Text size="xs" c="dimmed" truncate>
                {option.about}
              </Text>
            )}
          </Box>
        </Group>
      </Box>
    </>
  )
}
