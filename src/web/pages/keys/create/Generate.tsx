import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { keyTexts as t } from '../texts.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { revokeKey, useRefreshKeys, type Key, type NewKey } from '../keys.ts'
import { KeyForm } from './KeyForm.tsx'
import { NewKeyView } from './MadeKey.tsx'

/**
 * The dialog that creates a key, shows it once, and waits for its first call. When it replaces another key, it offers
 * to revoke that one.
 */
export function Generate({
  replacedKey,
  close,
}: {
  replacedKey?: Key | undefined
  close: () => void
}) {
  const [newKey, setNewKey] = useState<NewKey>()
  const [isBusy, setBusy] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const refresh = useRefreshKeys()
  const stored = async () => {
    close()
    await refresh()
    if (!replacedKey) return
    const { title, text, action, keep } = t.keys.rotate.old
    if (await confirm({ title, text: text(replacedKey.name), action, cancel: keep }))
      await revokeKey(replacedKey.id, replacedKey.name, refresh)
  }
  if (newKey) {
    return (
      <Modal
        opened
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        size={860}
        fullScreen={isNarrow}
        title={t.keys.made.title(newKey.name)}
      >
        <NewKeyView newKey={newKey} stored={() => void stored()} />
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
      title={replacedKey ? t.keys.rotate.dialog(replacedKey.name) : t.keys.form.title}
    >
      <KeyForm template={replacedKey} onCreated={setNewKey} onBusyChange={setBusy} />
    </Modal>
  )
}
