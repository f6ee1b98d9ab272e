import { Radio, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { call } from '../../../api/client.ts'
import { storeRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Problem } from '../../../ui/states.tsx'
import styles from './channels.module.css'
import { PeopleField } from './PeopleField.tsx'

interface NewChannelProps {
  close: () => void
  open: (id: string) => void
}

interface Person {
  id: string
  title: string
}

export function NewChannel({ close, open }: NewChannelProps) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'public' | 'private'>('public')
  const [topic, setTopic] = useState('')
  const [people, setPeople] = useState<readonly Person[]>([])
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const canCreate = name.trim() !== '' && !isBusy
  const create = async (event: FormEvent) => {
    event.preventDefault()
    if (!canCreate) return
    setBusy(true)
    try {
      const channel = await call('create_channel', {
        name: name.trim().replaceAll(/\s+/g, '-'),
        kind,
        ...(topic.trim() !== '' && { topic: topic.trim() }),
        member_ids: people.map((person) => person.id),
      })
      storeRows('channel', [channel])
      close()
      open(channel.id)
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  return (
    <Dialog isOpen close={close} title={t.chat.create.title}>
      <form className={styles.form} onSubmit={(event) => void create(event)}>
        {problem !== undefined && <Problem error={problem} />}
        <TextInput
          label={t.chat.create.name}
          description={t.chat.create.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={200}
          leftSection="#"
          data-autofocus
          dir="auto"
        />
        <Radio.Group
          label={t.chat.create.kind}
          value={kind}
          onChange={(value) => setKind(value === 'private' ? 'private' : 'public')}
        >
          <ChannelKindChoices />
        </Radio.Group>
        <TextInput
          label={t.chat.create.topic}
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
          maxLength={1000}
          dir="auto"
        />
        <PeopleField label={t.chat.create.members} people={people} change={setPeople} />
        <button type="submit" className={styles.primary} disabled={!canCreate}>
          {t.chat.create.action}
        </button>
      </form>
    </Dialog>
  )
}

function ChannelKindChoices() {
  const texts = t.chat.create
  return (
    <div className={styles.choices}>
      <Radio value="public" label={texts.public} description={texts.publicAbout} />
      <Radio value="private" label={texts.private} description={texts.privateAbout} />
    </div>
  )
}
