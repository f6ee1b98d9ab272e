import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { SingleKeys } from '../../../keys/KeyList.tsx'
import { bindingOf as keymapOf, commandIds, groupOf, type CommandId } from '../../../keys/keymap.ts'
import { canChange } from '../../../keys/conflicts.ts'
import { bindingOf, isOwn, useOwnKeys } from '../../../keys/own-keys.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { wordFilter } from '../../../ui/work/text-filter.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { submitWork } from '../shared/sending.tsx'
import { Tag } from '../shared/State.tsx'
import { settingsTexts as t } from '../texts.ts'
import { ChangeKeys } from './ChangeKeys.tsx'
import { resetOf, useSaveKeys } from './shortcut-writes.ts'
import styles from './shortcuts.module.css'

const words = t.shortcuts

/** All commands of the app with their keys, which can be changed. */
export function Shortcuts() {
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState<CommandId>()
  return (
    <Page title={words.title} about={words.about} actions={<ResetAll />}>
      <SettingsSection title={words.letters}>
        <SingleKeys />
      </SettingsSection>
      <SettingsSection title={words.commands}>
        <TextInput
          type="search"
          label={words.find}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Commands query={query} onOpen={setOpen} />
      </SettingsSection>
      {open && <ChangeKeys key={open} command={open} close={() => setOpen(undefined)} />}
    </Page>
  )
}

function ResetAll() {
  const customKeys = useOwnKeys()
  const save = useSaveKeys()
  const reset = async () => {
    const text = words.resetAllText(Object.keys(customKeys).length)
    const isMeant = await confirm({ title: words.resetAllTitle, text, action: words.resetAll })
    if (isMeant) await submitWork(() => save(resetOf(customKeys)), words.resetDone)
  }
  return (
    <Button
      variant="default"
      disabled={Object.keys(customKeys).length === 0}
      onClick={() => void reset()}
    >
      {words.resetAll}
    </Button>
  )
}

function Commands({ query, onOpen }: { query: string; onOpen: (id: CommandId) => void }) {
  useOwnKeys()
  const hasWords = wordFilter(query)
  const matches = commandIds.filter((id) =>
    hasWords(`${t.keys.commands[id]} ${t.keys.groups[groupOf(id)]}`),
  )
  if (matches.length === 0) return <p>{words.nothing}</p>
  return [...Map.groupBy(matches, groupOf)].map(([group, ids]) => (
    <section key={group} className={styles.group}>
      <h3>{t.keys.groups[group]}</h3>
      <ul>
        {ids.map((id) => (
          <Command key={id} command={id} onOpen={() => onOpen(id)} />
        ))}
      </ul>
    </section>
  ))
}

function Command({ command, onOpen }: { command: CommandId; onOpen: () => void }) {
  const label = t.keys.commands[command]
  return (
    <li className={styles.command}>
      <span className={styles.name}>
        {label} {isOwn(command) && <Tag>{words.own}</Tag>}
      </span>
      <span className={styles.caps}>
        {bindingOf(command).keys.length === 0 ? (
          <span className={styles.none}>{words.none}</span>
        ) : (
          <KeyCombo command={command} all />
        )}
      </span>
      {canChange(command) ? (
        <button
          type="button"
          className={styles.change}
          aria-label={words.changeOf(label)}
          onClick={onOpen}
        >
          {words.change}
        </button>
      ) : (
        <span className={styles.none}>{whyFixed(command)}</span>
      )}
    </li>
  )
}

function whyFixed(id: CommandId): string {
  const replaced = commandIds.find((other) => other === keymapOf(id).insteadOf)
  return replaced === undefined ? words.fixed : words.follows(t.keys.commands[replaced])
}
