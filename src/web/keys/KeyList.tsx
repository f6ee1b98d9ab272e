import { Switch } from '@mantine/core'
import { useState } from 'react'
import { t } from '../texts/index.ts'
import { activeCommands, singleKeys } from './commands.ts'
import { KeyCombo } from './KeyCombo.tsx'
import { bindingOf, groupOf } from './keymap.ts'
import styles from './keys.module.css'

/** The keys that work now, and the switch of those that are a letter alone. */
export function KeyList() {
  return (
    <>
      <Groups />
      <SingleKeys />
    </>
  )
}

function Groups() {
  const withKeys = activeCommands().filter((id) => bindingOf(id).keys.length > 0)
  const groups = [...Map.groupBy(withKeys, groupOf)].toSorted(
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
                  <KeyCombo of={id} all />
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

function SingleKeys() {
  const [areOn, setOn] = useState(singleKeys.areOn)
  return (
    <Switch
      className={styles.switch}
      label={t.keys.single}
      description={t.keys.singleAbout}
      checked={areOn}
      onChange={(event) => {
        singleKeys.set(event.currentTarget.checked)
        setOn(event.currentTarget.checked)
      }}
    />
  )
}
