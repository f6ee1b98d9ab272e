import { IconLink, IconPaperclip, IconX } from '@tabler/icons-react'
import { useRef, useState, type FormEvent } from 'react'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { taskPage as texts } from '../../../texts/en/tasks/page.ts'
import { t } from '../../../texts/index.ts'
import { uploadInTurn } from '../../../ui/actions/upload-in-turn.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { focusOnMount } from '../../../ui/work/focus.ts'
import styles from './item.module.css'
import type { FullTask } from './useTask.ts'

type Attachment = NonNullable<FullTask['attachments']>[number]

/** A task's files and links. */
export function Attachments({ task }: { task: FullTask }) {
  const [isLinking, setLinking] = useState(false)
  const [uploading, setUploading] = useState<readonly string[]>([])
  const fileInput = useRef<HTMLInputElement>(null)
  const upload = async (files: readonly File[]) => {
    setUploading((names) => [...names, ...files.map((file) => file.name)])
    await uploadInTurn(files, async (name, file) => {
      if (file) await attach(task, { file_id: file.id }, name)
      setUploading((names) => names.filter((uploaded) => uploaded !== name))
    })
  }
  return (
    <section className={styles.section}>
      <h2>
        {texts.files}
        <span className={styles.tabs}>
          <button
            type="button"
            data-attach-file
            className={styles.small}
            onClick={() => fileInput.current?.click()}
          >
            <IconPaperclip size={14} aria-hidden /> {texts.addFile}
          </button>
          <button
            type="button"
            data-attach-link
            className={styles.small}
            aria-expanded={isLinking}
            onClick={() => setLinking((isOpen) => !isOpen)}
          >
            <IconLink size={14} aria-hidden /> {texts.addLink}
          </button>
        </span>
        <input
          ref={fileInput}
          type="file"
          multiple
          hidden
          aria-label={texts.addFile}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            void upload(files)
          }}
        />
      </h2>
      {isLinking && <LinkForm task={task} close={() => setLinking(false)} />}
      <ul className={styles.list}>
        {(task.attachments ?? []).map((file) => (
          <li key={file.id} className={styles.linkedTask}>
            <ItemLink item={itemOf(file)} />
            <button
              type="button"
              className={styles.unlink}
              aria-label={texts.detach(file.name)}
              onClick={() => void detach(task, file)}
            >
              <IconX size={14} aria-hidden />
            </button>
          </li>
        ))}
        {uploading.map((name) => (
          <li key={name} className={styles.none} role="status">
            {texts.uploading(name)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const itemOf = ({ id, name, file, web_url }: Attachment) =>
  file ? { ...file, title: name } : { id, title: web_url ?? name, url: web_url }

function LinkForm({ task, close }: { task: FullTask; close: () => void }) {
  const [url, setUrl] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await attach(task, { url: url.trim() }, url.trim())) close()
  }
  return (
    <form className={styles.linkForm} onSubmit={(event) => void submit(event)}>
      <input
        type="url"
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
        ref={focusOnMount}
        placeholder="https://"
        aria-label={texts.linkAddress}
        maxLength={2000}
      />
      <button type="submit" className={styles.send}>
        {texts.addLink}
      </button>
    </form>
  )
}

/** Attaches a file or link; returns whether that succeeded. */
async function attach(
  task: FullTask,
  target: { file_id: string } | { url: string },
  name: string,
): Promise<boolean> {
  const { state } = await write(
    'add_task_attachment',
    { task_id: task.id, ...target },
    { text: t.tasks.changed(task.key, texts.attached(name)) },
  )
  await invalidateOperations('get_task')
  return state === 'done'
}

async function detach(task: FullTask, file: Attachment): Promise<void> {
  await write(
    'remove_task_attachment',
    { task_id: task.id, attachment_id: file.id },
    { text: t.tasks.changed(task.key, texts.detached(file.name)) },
  )
  await invalidateOperations('get_task')
}
