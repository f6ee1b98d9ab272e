import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { undoTime, undoTimes } from '../../mail/compose/undo-time.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { settingsTexts as t } from '../texts.ts'

const words = t.accounts.mail.undoTime

/** For how long a mail that was sent can be taken back. */
export function UndoTimeChoice() {
  const [seconds, setSeconds] = useState(undoTime.get)
  const choose = (value: string) => {
    const chosen = undoTimes.find((time) => String(time) === value)
    if (chosen === undefined) return
    undoTime.set(chosen)
    setSeconds(chosen)
  }
  return (
    <SettingsSection title={words.title} about={words.about}>
      <NativeSelect
        label={words.label}
        value={String(seconds)}
        onChange={(event) => choose(event.currentTarget.value)}
        data={undoTimes.map((time) => ({ value: String(time), label: words.seconds(time) }))}
        maw={240}
      />
    </SettingsSection>
  )
}
