import {
  IconChecklist,
  IconLink,
  IconMessageCircle,
  IconMoodPlus,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconQuote,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { pinMessage } from '../data/changes.ts'
import type { Message } from '../data/rows.ts'
import { askAndDelete, copyAddress, useListActions } from '../list/actions.ts'
import styles from './message.module.css'
import { setOpenPopup } from '../list/open.ts'

interface MessageToolsProps {
  message: Message
  isInThread: boolean
}

export function MessageTools({ message, isInThread }: MessageToolsProps) {
  const me = useMe()
  const { openThread, quote } = useListActions()
  const isOwn = message.author.id === me.id && message.imported === undefined
  return (
    <fieldset className={styles.tools} aria-label={t.chat.actions}>
      <Tool
        icon={IconMoodPlus}
        label={t.chat.react}
        run={(anchor) => setOpenPopup({ kind: 'react', message, anchor })}
      />
      {!isInThread && (
        <Tool icon={IconMessageCircle} label={t.chat.reply} run={() => openThread(message)} />
      )}
      <Tool icon={IconQuote} label={t.chat.quote} run={() => quote(message)} />
      <Tool
        icon={IconChecklist}
        label={t.chat.toTask}
        run={() => setOpenPopup({ kind: 'task', message })}
      />
      <Tool
        icon={message.pinned ? IconPinnedOff : IconPin}
        label={message.pinned ? t.chat.unpin : t.chat.pin}
        run={() => pinMessage(message)}
      />
      <Tool icon={IconLink} label={t.chat.copyLink} run={() => void copyAddress(message)} />
      {isOwn && (
        <>
          <Tool
            icon={IconPencil}
            label={t.chat.edit}
            run={() => setOpenPopup({ kind: 'edit', id: message.id })}
          />
          <Tool icon={IconTrash} label={t.chat.remove} run={() => void askAndDelete(message)} />
        </>
      )}
    </fieldset>
  )
}

interface ToolProps {
  icon: Icon
  label: string
  run: (anchor: Element) => void
}

function Tool({ icon: Shape, label, run }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      onClick={(event) => run(event.currentTarget)}
    >
      <Shape size={16} stroke={1.7} aria-hidden />
    </button>
  )
}
