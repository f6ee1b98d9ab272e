import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { call } from '../../../api/client.ts'
import { readOperationAgain } from '../../../api/queries.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import type { OrgLabel } from './Labels.tsx'

const words = t.trash.labels
const fields = ['name', 'color', 'description']
/** Default color that the server assigns. */
const defaultColor = '#64748b'

interface LabelDialogProps {
  label?: OrgLabel
  close: () => void
}

/** Creates or edits a label. */
export function LabelDialog({ label, close }: LabelDialogProps) {
  const [name, setName] = useState(label?.name ?? '')
  const [color, setColor] = useState(label?.color ?? defaultColor)
  const [description, setDescription] = useState(label?.description ?? '')
  const sending = useSending()
  const save = async () => {
    const about = description.trim()
    if (label)
      await call('update_label', { label_id: label.id, name, color, description: about || null })
    else {
      const label = await call('create_label', {
        name,
        color,
        ...(about === '' ? {} : { description: about }),
      })
      if (label.existing) throw new Error(words.exists(label.name))
    }
    notifySuccess(label ? words.saved(name) : words.created(name))
    close()
    await readOperationAgain('list_labels')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(save)
  }
  return (
    <Modal opened onClose={close} title={label ? words.editNamed(label.name) : words.create}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={sending.errors.name}
            required
            maxLength={200}
            data-autofocus
            dir="auto"
          />
          <TextInput
            type="color"
            label={words.color}
            value={color}
            onChange={(event) => setColor(event.currentTarget.value)}
            error={sending.errors.color}
          />
          <Textarea
            label={words.description}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={sending.errors.description}
            maxLength={2000}
            autosize
            minRows={2}
            dir="auto"
          />
          <Refused submission={sending} fields={fields} />
          <SaveRow isBusy={sending.isBusy}>
            <Button variant="default" onClick={close}>
              {t.app.cancel}
            </Button>
          </SaveRow>
        </Stack>
      </form>
    </Modal>
  )
}
