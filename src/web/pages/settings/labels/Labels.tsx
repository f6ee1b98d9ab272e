import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconTag } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Output } from '../../../api/client.ts'
import { useCall, useList } from '../../../api/queries.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { Dot } from '../../../ui/work/states.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { submitWork } from '../shared/sending.tsx'
import { settingsTexts as t } from '../texts.ts'
import { LabelDialog } from './LabelDialog.tsx'

export type OrgLabel = Output<'list_labels'>['items'][number]
const words = t.trash.labels

/** The labels of the organization: created, renamed, coloured and deleted. */
export function Labels() {
  const labels = useList('list_labels', { limit: 100 })
  const [isNew, making] = useDisclosure()
  const list = useRef<HTMLDivElement>(null)
  useRowKeys(list)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={making.open}>
      {words.create}
    </Button>
  )
  return (
    <Page title={words.title} about={words.about} actions={labels.items.length > 0 && add}>
      <Shown query={labels}>
        {() =>
          labels.items.length === 0 ? (
            <Empty icon={IconTag} title={words.none} text={words.noneText} action={add} />
          ) : (
            <div ref={list}>
              <Rows label={words.title}>
                {labels.items.map((item) => (
                  <LabelEntry key={item.id} label={item} />
                ))}
              </Rows>
              <More query={labels} />
            </div>
          )
        }
      </Shown>
      {isNew && <LabelDialog close={making.close} />}
    </Page>
  )
}

function LabelEntry({ label }: { label: OrgLabel }) {
  const [isEditing, editing] = useDisclosure()
  const deletion = useCall('delete_label', ['list_labels', 'list_trash'])
  const uses = Object.values(label.uses).reduce((sum, n) => sum + n, 0)
  const remove = async () => {
    const title = words.question(label.name)
    if (!(await confirm({ title, text: words.removeText(uses), action: words.remove }))) return
    await submitWork(() => deletion.mutateAsync({ label_id: label.id }), words.removed(label.name))
  }
  return (
    <Row
      title={label.name}
      beside={<Dot color={label.color} />}
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            data-row
            onClick={editing.open}
            aria-label={words.editNamed(label.name)}
          >
            {words.edit}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => void remove()}
            aria-label={words.removeNamed(label.name)}
          >
            {words.remove}
          </Button>
        </>
      }
    >
      {label.description && <div dir="auto">{label.description}</div>}
      {words.uses(uses)}
      {isEditing && <LabelDialog label={label} close={editing.close} />}
    </Row>
  )
}
