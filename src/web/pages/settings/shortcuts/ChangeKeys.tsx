import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useId } from 'react'
import { canLoseKeys, isLastMenuKey, keyProblem, type KeyProblem } from '../../../keys/conflicts.ts'
import { KeyCaps } from '../../../keys/KeyCombo.tsx'
import { textOfKeys } from '../../../keys/key-text.ts'
import type { CommandId } from '../../../keys/keymap.ts'
import { bindingOf, hasCustomKeys } from '../../../keys/own-keys.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { keyChoicesOf, type KeyChoice } from './choices.ts'
import { useKeyRecorder } from './record.ts'
import { useSaveKeys } from './shortcut-writes.ts'
import styles from './shortcuts.module.css'

const texts = t.shortcuts
const { dialog } = texts

/** Assigns keys to a command: shows the pressed keys, conflicts, and how to resolve them. */
export function ChangeKeys({ command, close }: { command: CommandId; close: () => void }) {
  const save = useSaveKeys()
  const submission = useSubmission()
  const label = t.keys.commands[command]
  const send = async (changes: Record<string, readonly string[] | null>) => {
    if (!(await submission.send(() => save(changes)))) return
    notifySuccess(dialog.saved(label))
    close()
  }
  const { keys, onKeyDown } = useKeyRecorder((pressed) => {
    const [firstChoice] = keyChoicesOf(command, pressed)
    if (firstChoice) void send(firstChoice.changes)
  })
  const choices = keys === '' ? [] : keyChoicesOf(command, keys)
  return (
    <Dialog isOpen close={close} title={texts.changeOf(label)}>
      <Stack>
        <Recorder
          command={command}
          keys={keys}
          onKeyDown={onKeyDown}
          hasChoice={choices.length > 0}
        />
        <Choices choices={choices} choose={(choice) => void send(choice.changes)} />
        <SubmissionError submission={submission} />
        <CurrentKeys command={command} send={(changes) => void send(changes)} />
      </Stack>
    </Dialog>
  )
}

interface RecorderProps {
  command: CommandId
  keys: string
  onKeyDown: ReturnType<typeof useKeyRecorder>['onKeyDown']
  hasChoice: boolean
}

function Recorder({ command, keys, onKeyDown, hasChoice }: RecorderProps) {
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
        {keys !== '' && problemText(command, keys, hasChoice)}
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
  const { problems } = texts
  if (problem.kind === 'taken') {
    const conflict = problems.taken(
      keysText,
      problem.owners.map((id) => t.keys.commands[id]),
    )
    return canLoseKeys(problem.owners, keys) ? conflict : `${conflict} ${problems.keeps}`
  }
  if (problem.kind === 'beginning')
    return problems.beginning(keysText, textOfKeys(problem.keys), t.keys.commands[problem.command])
  return problems[problem.kind](keysText)
}

function Choices({
  choices,
  choose,
}: {
  choices: readonly KeyChoice[]
  choose: (choice: KeyChoice) => void
}) {
  if (choices.length === 0) return null
  return (
    <Group gap="xs">
      {choices.map((choice, index) => (
        <Button
          key={choice.label}
          variant={index === 0 ? 'filled' : 'default'}
          onClick={() => choose(choice)}
        >
          {choice.label}
        </Button>
      ))}
    </Group>
  )
}

interface CurrentKeysProps {
  command: CommandId
  send: (changes: Record<string, readonly string[] | null>) => void
}

function CurrentKeys({ command, send }: CurrentKeysProps) {
  const { keys } = bindingOf(command)
  return (
    <section aria-label={dialog.now} className={styles.now}>
      <h3>{dialog.now}</h3>
      {keys.length === 0 && <Text size="sm">{dialog.without}</Text>}
      <ul>
        {keys.map((binding) => (
          <li key={binding}>
            <KeyCaps keys={binding} />
            {isLastMenuKey(command, binding) ? (
              <span className={styles.none}>{dialog.lastOfMenu}</span>
            ) : (
              <button
                type="button"
                className={styles.change}
                onClick={() => send({ [command]: keys.filter((other) => other !== binding) })}
              >
                {dialog.remove(textOfKeys(binding))}
              </button>
            )}
          </li>
        ))}
      </ul>
      {hasCustomKeys(command) && (
        <Button variant="default" size="xs" onClick={() => send({ [command]: null })}>
          {dialog.reset}
        </Button>
      )}
    </section>
  )
}
