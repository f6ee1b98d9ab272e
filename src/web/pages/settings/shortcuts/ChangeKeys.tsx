import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useId } from 'react'
import { canGiveUp, isLastOfMenu, keyProblem, type KeyProblem } from '../../../keys/conflicts.ts'
import { KeyCaps } from '../../../keys/KeyCombo.tsx'
import { textOfKeys } from '../../../keys/key-text.ts'
import type { CommandId } from '../../../keys/keymap.ts'
import { bindingOf, isOwn } from '../../../keys/own-keys.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { keyChoicesOf, type KeyChoice } from './choices.ts'
import { useRecording } from './record.ts'
import { useSaveKeys } from './shortcut-writes.ts'
import styles from './shortcuts.module.css'

const words = t.shortcuts
const { dialog } = words

/** Assigns keys to a command: shows the pressed keys, conflicts, and how to resolve them. */
export function ChangeKeys({ of, close }: { of: CommandId; close: () => void }) {
  const save = useSaveKeys()
  const sending = useSending()
  const label = t.keys.commands[of]
  const send = async (changes: Record<string, readonly string[] | null>) => {
    if (!(await sending.send(() => save(changes)))) return
    notifySuccess(dialog.saved(label))
    close()
  }
  const { keys, onKeyDown } = useRecording((pressed) => {
    const [first] = keyChoicesOf(of, pressed)
    if (first) void send(first.changes)
  })
  const choices = keys === '' ? [] : keyChoicesOf(of, keys)
  return (
    <Dialog isOpen close={close} title={words.changeOf(label)}>
      <Stack>
        <Recorder of={of} keys={keys} onKeyDown={onKeyDown} hasChoice={choices.length > 0} />
        <Choices of={choices} choose={(choice) => void send(choice.changes)} />
        <Refused of={sending} />
        <KeysNow of={of} send={(changes) => void send(changes)} />
      </Stack>
    </Dialog>
  )
}

interface RecorderProps {
  of: CommandId
  keys: string
  onKeyDown: ReturnType<typeof useRecording>['onKeyDown']
  hasChoice: boolean
}

function Recorder({ of, keys, onKeyDown, hasChoice }: RecorderProps) {
  const id = useId()
  return (
    <>
      <TextInput
        label={dialog.press}
        description={dialog.pressAbout}
        value={keys === '' ? '' : textOfKeys(keys)}
        readOnly
        onKeyDown={onKeyDown}
        autoComplete="off"
        aria-describedby={id}
        data-autofocus
      />
      <Text id={id} size="sm" role="status" c={hasChoice || keys === '' ? undefined : 'red'}>
        {keys !== '' && problemText(of, keys, hasChoice)}
      </Text>
    </>
  )
}

function problemText(commandId: CommandId, keys: string, hasChoice: boolean): string {
  const problem = keyProblem(commandId, keys)
  if (problem === undefined) return hasChoice ? '' : dialog.tooMany
  return keyProblemText(problem, textOfKeys(keys), keys)
}

function keyProblemText(problem: KeyProblem, keysText: string, keys: string): string {
  const { problems } = words
  if (problem.kind === 'taken') {
    const conflict = problems.taken(
      keysText,
      problem.by.map((id) => t.keys.commands[id]),
    )
    return canGiveUp(problem.by, keys) ? conflict : `${conflict} ${problems.keeps}`
  }
  if (problem.kind === 'beginning')
    return problems.beginning(keysText, textOfKeys(problem.keys), t.keys.commands[problem.of])
  return problems[problem.kind](keysText)
}

function Choices({
  of,
  choose,
}: {
  of: readonly KeyChoice[]
  choose: (choice: KeyChoice) => void
}) {
  if (of.length === 0) return null
  return (
    <Group gap="xs">
      {of.map((choice, n) => (
        <Button
          key={choice.label}
          variant={n === 0 ? 'filled' : 'default'}
          onClick={() => choose(choice)}
        >
          {choice.label}
        </Button>
      ))}
    </Group>
  )
}

interface KeysNowProps {
  of: CommandId
  send: (changes: Record<string, readonly string[] | null>) => void
}

function KeysNow({ of, send }: KeysNowProps) {
  const { keys } = bindingOf(of)
  return (
    <section aria-label={dialog.now} className={styles.now}>
      <h3>{dialog.now}</h3>
      {keys.length === 0 && <Text size="sm">{dialog.without}</Text>}
      <ul>
        {keys.map((binding) => (
          <li key={binding}>
            <KeyCaps keys={binding} />
            {isLastOfMenu(of, binding) ? (
              <span className={styles.none}>{dialog.lastOfMenu}</span>
            ) : (
              <button
                type="button"
                className={styles.change}
                onClick={() => send({ [of]: keys.filter((other) => other !== binding) })}
              >
                {dialog.remove(textOfKeys(binding))}
              </button>
            )}
          </li>
        ))}
      </ul>
      {isOwn(of) && (
        <Button variant="default" size="xs" onClick={() => send({ [of]: null })}>
          {dialog.reset}
        </Button>
      )}
    </section>
  )
}
