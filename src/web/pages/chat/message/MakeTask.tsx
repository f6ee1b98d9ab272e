import { useState, type FormEvent } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { NativeSelect, TextInput } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { notify, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { channelOf, type Message } from '../data/rows.ts'
import styles from '../list/list.module.css'

/** Creates a task from a message, with links in both directions. */
export function CreateTaskDialog({ message, close }: { message: Message; close: () => void }) {
  const navigate = useNavigate()
  const { data, refetch } = useOperation('list_projects', { limit: 100 }, { staleTime: 300_000 })
  const projects = openProjects(data)
  const [chosenProjectId, setChosen] = useState<string>()
  const [title, setTitle] = useState(() => taskTitleFrom(message))
  const projectId = chosenProjectId ?? defaultProjectId(projects, message)
  const createTask = async (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() === '') return
    const project_id = projectId ?? defaultProjectId(openProjects((await refetch()).data), message)
    if (project_id === undefined) return
    close()
    const creation = await write(
      'create_task_from_source',
      { source_type: 'message', source_id: message.id, project_id, title: title.trim() },
      { text: t.chat.task.title, noticeSeconds: 0 },
    )
    const { key } = (creation.state === 'done' && creation.value) || { key: undefined }
    if (key === undefined) return
    notify({
      text: t.chat.task.done(key),
      seconds: 8,
      actions: [{ label: t.chat.task.open, run: () => void navigate({ to: `/tasks/${key}` }) }],
    })
  }
  return (
    <Dialog isOpen close={close} title={t.chat.task.title}>
      <form className={styles.form} onSubmit={(event) => void createTask(event)}>
        <TextInput
          label={t.chat.task.name}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          maxLength={500}
          data-autofocus
          dir="auto"
        />
        <NativeSelect
          label={t.chat.task.project}
          value={projectId ?? ''}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={projects.map(({ id, key, name }) => ({ value: id, label: `${key} ${name}` }))}
        />
        <button
          type="submit"
          className={styles.primary}
          disabled={data !== undefined && projectId === undefined}
        >
          {t.chat.task.action}
        </button>
      </form>
    </Dialog>
  )
}

type Projects = Output<'list_projects'>

const openProjects = (page: Projects | undefined) =>
  (page?.items ?? []).filter((project) => project.status !== 'archived')

/** The project of the message's channel, or else the first. */
function defaultProjectId(projects: Projects['items'], message: Message): string | undefined {
  const channelProjectId = channelOf(message.channel.id)?.project?.id
  return (projects.find(({ id }) => id === channelProjectId) ?? projects[0])?.id
}

const taskTitleFrom = ({ content }: Message) =>
  content.text
    .replaceAll(/[*_`~>#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
