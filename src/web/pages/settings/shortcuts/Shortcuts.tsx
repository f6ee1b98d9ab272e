import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { SingleKeys } from '../../../keys/KeyList.tsx'
import { bindingOf as keymapOf, commandIds, groupOf, type CommandId } from '../../../keys/keymap.ts'
import { canChange } from '../../../keys/conflicts.ts'
import { bindingOf, hasCustomKeys, useCustomKeys } from '../../../keys/own-keys.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { wordFilter } from '../../../ui/work/text-filter.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { runAction } from '../shared/sending.tsx'
import { Tag } from '../shared/State.tsx'
import { settingsTexts as t } from '../texts.ts'
import { ChangeKeys } from './ChangeKeys.tsx'
import { resetChanges, useSaveKeys } from './shortcut-writes.ts'
import styles from './shortcuts.module.css'

const texts = t.shortcuts

/** All commands of the app with their keys, which can be changed. */
export function Shortcuts() {
  const [query, setQuery] = useState('')
  const [openCommand, setOpenCommand] = useState<CommandId>()
  return (
    <Page title={texts.title} description={texts.about} actions={<ResetAll />}>
      <SettingsSection title={texts.letters}>
        <SingleKeys />
      </SettingsSection>
      <SettingsSection title={texts.commands}>
        <TextInput
          type="search"
          label={texts.find}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Commands query={query} onOpen={setOpenCommand} />
      </SettingsSection>
      {openCommand && (
        <ChangeKeys
          key={openCommand}
          command={openCommand}
          close={() => setOpenCommand(undefined)}
        />
      )}
    </Page>
  )
}

function ResetAll() {
  const customKeys = useCustomKeys()
  const save = useSaveKeys()
  const reset = async () => {
    const text = texts.resetAllText(Object.keys(customKeys).length)
    const isConfirmed = await confirm({ title: texts.resetAllTitle, text, action: texts.resetAll })
    if (isConfirmed) await runAction(() => save(resetChanges(customKeys)), texts.resetDone)
  }
  return (
    <Button
      variant="default"
      disabled={Object.keys(customKeys).length === 0}
      onClick={() => void reset()}
    >
      {texts.resetAll}
    </Button>
  )
}

function Commands({ query, onOpen }: { query: string; onOpen: (id: CommandId) => void }) {
  useCustomKeys()
  const hasAllWords = wordFilter(query)
  const matches = commandIds.filter((id) =>
    hasAllWords(`${t.keys.commands[id]} ${t.keys.groups[groupOf(id)]}`),
  )
  if (matches.length === 0) return <p>{texts.nothing}</p>
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
        {label} {hasCustomKeys(command) && <Tag>{texts.own}</Tag>}
      </span>
      <span className={styles.caps}>
        {bindingOf(command).keys.length === 0 ? (
          <span className={styles.none}>{texts.none}</span>
        ) : (
          <KeyCombo command={command} all />
        )}
      </span>
      {canChange(command) ? (
        <button
          type="button"
          className={styles.change}
          aria-label={texts.changeOf(label)}
          onClick={onOpen}
        >
          {texts.change}
        </button>
      ) : (
        <span className={styles.none}>{fixedReason(command)}</span>
      )}
    </li>
  )
}

function fixedReason(id: CommandId): string {
  const replacedCommand = commandIds.find((other) => other === keymapOf(id).insteadOf)
  return replacedCommand === undefined
    ? texts.fixed
    : texts.follows(t.keys.commands[replacedCommand])
}
