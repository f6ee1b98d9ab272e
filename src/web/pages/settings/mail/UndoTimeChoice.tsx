import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { undoTime, undoTimes } from '../../mail/compose/undo-time.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { settingsTexts as t } from '../texts.ts'

const texts = t.accounts.mail.undoTime

/** Setting: for how many seconds the sending of a mail can be undone. */
export function UndoTimeChoice() {
  const [seconds, setSeconds] = useState(undoTime.get)
  const choose = (value: string) => {
    const newSeconds = undoTimes.find((time) => String(time) === value)
    if (newSeconds === undefined) return
    undoTime.set(newSeconds)
    setSeconds(newSeconds)
  }
  return (
    <SettingsSection title={texts.title} description={texts.about}>
      <NativeSelect
        label={texts.label}
        value={String(seconds)}
        onChange={(event) => choose(event.currentTarget.value)}
        data={undoTimes.map((time) => ({ value: String(time), label: texts.seconds(time) }))}
        maw={240}
      />
    </SettingsSection>
  )
}
