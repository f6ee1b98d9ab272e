import { Group, Kbd, Modal, Table, Text, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSignedIn } from '../session/session.ts'
import { t } from '../texts/index.ts'
import { destinationsFor } from './destinations.ts'

const opening = 'shortcuts-help'

export const shortcutsHelp = { open: () => window.dispatchEvent(new Event(opening)) }

/** How long the second key of a pair may be waited for, in milliseconds. */
const patience = 1200

/** Keys that lead to places, and a help that lists them. They do nothing where somebody types. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const { person } = useSignedIn()
  const { toggleColorScheme } = useMantineColorScheme()
  const first = useRef<{ key: string; at: number }>({ key: '', at: 0 })
  const destinations = destinationsFor(person.role).filter(
    (destination) => destination.keys !== undefined,
  )

  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') return setOpen(true)
      const { key, at } = first.current
      const pair = performance.now() - at < patience ? `${key} ${event.key}` : ''
      first.current = { key: event.key, at: performance.now() }
      if (pair === 't t') return toggleColorScheme()
      const found = destinations.find((destination) => destination.keys === pair)
      if (!found) return
      event.preventDefault()
      void navigate({ to: found.to })
    }
    const open = () => setOpen(true)
    window.addEventListener('keydown', pressed)
    window.addEventListener(opening, open)
    return () => {
      window.removeEventListener('keydown', pressed)
      window.removeEventListener(opening, open)
    }
  })

  const rows: [string, string][] = [
    ['Ctrl K', t.app.shortcuts.palette],
    ['?', t.app.shortcuts.help],
    ['t t', t.app.shortcuts.theme],
    ...destinations.map(
      (destination) => [destination.keys!, destination.label] as [string, string],
    ),
  ]
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.app.shortcuts.title}>
      <Table>
        <Table.Tbody>
          {rows.map(([keys, label]) => (
            <Table.Tr key={keys}>
              <Table.Td>{label}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {keys.split(' ').map((key, i) => (
                    <Group key={key + String(i)} gap={4} wrap="nowrap">
                      {i > 0 && !keys.startsWith('Ctrl') && (
                        <Text size="xs" c="dimmed">
                          {t.app.shortcuts.then}
                        </Text>
                      )}
                      <Kbd>{key}</Kbd>
                    </Group>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('[role=dialog],[role=menu],[role=listbox]') !== null)
  )
}
