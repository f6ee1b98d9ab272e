import { Switch } from '@mantine/core'
import { useState } from 'react'
import { t } from '../texts/index.ts'
import { AppLink } from '../ui/AppLink.tsx'
import { singleKeys } from './commands.ts'
import { KeyCombo } from './KeyCombo.tsx'
import { groupOf, type CommandId } from './keymap.ts'
import styles from './keys.module.css'

interface KeyListProps {
  commands: readonly CommandId[]
  close: () => void
}

/** The keys of commands, and the setting for single-letter keys. */
export function KeyList({ commands, close }: KeyListProps) {
  return (
    <>
      <Groups commands={commands} />
      <div className={styles.switch}>
        <SingleKeys />
        <AppLink to="/settings/shortcuts" size="sm" onClick={close}>
          {t.keys.change}
        </AppLink>
      </div>
    </>
  )
}

function Groups({ commands }: { commands: readonly CommandId[] }) {
  const groups = [...Map.groupBy(commands, groupOf)].toSorted(
    ([a], [b]) => Number(isGeneral(a)) - Number(isGeneral(b)),
  )
  return (
    <div className={styles.help}>
      {groups.map(([group, ids]) => (
        <section key={group} className={styles.group}>
          <h3>{t.keys.groups[group]}</h3>
          <dl>
            {ids.map((id) => (
              <div key={id} className={styles.line}>
                <dt>{t.keys.commands[id]}</dt>
                <dd>
                  <KeyCombo command={id} all />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

const isGeneral = (group: string) => group === 'app' || group === 'go'

/** Setting for single-letter keys. */
export function SingleKeys() {
  const [isEnabled, setEnabled] = useState(singleKeys.isEnabled)
  return (
    <Switch
      label={t.keys.single}
      description={t.keys.singleAbout}
      checked={isEnabled}
      onChange={(event) => {
        singleKeys.set(event.currentTarget.checked)
        setEnabled(event.currentTarget.checked)
      }}
    />
  )
}
