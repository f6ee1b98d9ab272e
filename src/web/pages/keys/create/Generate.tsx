import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { keyTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { revokeKey, useRefreshKeys, type Key, type NewKey } from '../keys.ts'
import { KeyForm } from './KeyForm.tsx'
import { MadeKey } from './MadeKey.tsx'

/**
 * The dialog that creates a key, shows it once, and waits for its first call. When it replaces another key, it offers
 * to revoke that one.
 */
export function Generate({ inPlaceOf, close }: { inPlaceOf?: Key | undefined; close: () => void }) {
  const [made, setMade] = useState<NewKey>()
  const [isBusy, setBusy] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const refresh = useRefreshKeys()
  const stored = async () => {
    close()
    await refresh()
    if (!inPlaceOf) return
    const { title, text, action, keep } = t.keys.rotate.old
    if (await confirm({ title, text: text(inPlaceOf.name), action, cancel: keep }))
      await revokeKey(inPlaceOf.id, inPlaceOf.name, refresh)
  }
  if (made) {
    return (
      <Modal
        opened
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        size={860}
        fullScreen={isNarrow}
        title={t.keys.made.title(made.name)}
      >
        <MadeKey newKey={made} stored={() => void stored()} />
      </Modal>
    )
  }
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={!isBusy}
      closeOnClickOutside={false}
      size="lg"
      fullScreen={isNarrow}
      title={inPlaceOf ? t.keys.rotate.dialog(inPlaceOf.name) : t.keys.form.title}
    >
      <KeyForm like={inPlaceOf} onCreated={setMade} busy={setBusy} />
    </Modal>
  )
}
