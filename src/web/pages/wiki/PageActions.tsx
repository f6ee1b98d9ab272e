import { ActionIcon, Button } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type RefObject } from 'react'
import { call, type Output } from '../../api/client.ts'
import { loadPart } from '../../api/parts.ts'
import { runCommand, useCommands } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import type { CommandId } from '../../keys/keymap.ts'
import { write } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { wiki } from '../../texts/en/wiki.ts'
import { notifyProblem } from '../../ui/confirm.tsx'
import { filterChoices, Picker } from '../../ui/work/Picker.tsx'
import { openImport } from '../imports/open.ts'
import { deletePage } from './deletion.ts'
import { exportPage, pageFormats } from './export.ts'

const ShareDialog = lazy(() =>
  loadPart(() => import('./sharing/ShareDialog.tsx')).then(({ ShareDialog }) => ({
    default: ShareDialog,
  })),
)
const NewPage = lazy(() =>
  loadPart(() => import('./tree/NewPage.tsx')).then((part) => ({ default: part.NewPage })),
)
const MovePage = lazy(() =>
  loadPart(() => import('./tree/MoveList.tsx')).then((part) => ({ default: part.MovePage })),
)

type WikiPage = Pick<Output<'get_page'>, 'id' | 'title' | 'kind' | 'visibility' | 'my_role'>

export function PageActions({ page, hasOutline }: { page: WikiPage; hasOutline: boolean }) {
  const [openDialog, setOpenDialog] = useState<PageDialog>()
  const menu = useRef<HTMLButtonElement>(null)
  const canEdit = page.my_role === 'owner' || page.my_role === 'editor'
  const close = () => setOpenDialog(undefined)
  const navigate = useNavigate()
  const remove = async () => {
    if (await deletePage(page)) void navigate({ to: '/pages' })
  }
  useCommands({
    'page.delete': page.my_role === 'owner' ? () => void remove() : undefined,
    'page.share': () => setOpenDialog('share'),
    'page.createBelow': canEdit ? () => setOpenDialog('below') : undefined,
    'page.move': canEdit ? () => setOpenDialog('move') : undefined,
    'page.export': () => setOpenDialog('export'),
    'page.import': canEdit
      ? () => openImport({ kind: 'pages', parent: { id: page.id, title: page.title } })
      : undefined,
    'page.saveTemplate': page.kind === 'page' ? () => void saveTemplate(page) : undefined,
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-haspopup="dialog"
        onClick={() => setOpenDialog('share')}
        rightSection={<KeyCombo command="page.share" />}
      >
        {wiki.share.open}
      </Button>
      <MoreActions
        ref={menu}
        commands={[
          ...(hasOutline ? (['page.outline'] as const) : []),
          ...(canEdit ? (['page.createBelow', 'page.import', 'page.move'] as const) : []),
          'page.who' as const,
          'page.export' as const,
          ...(page.kind === 'page' ? (['page.saveTemplate'] as const) : []),
          ...(page.my_role === 'owner' ? (['page.delete'] as const) : []),
        ]}
      />
      {openDialog && <OpenPart open={openDialog} page={page} anchor={menu.current} close={close} />}
    </>
  )
}

const formats = pageFormats.map((format) => ({ value: format, label: wiki.export.formats[format] }))

type PageDialog = 'share' | 'move' | 'below' | 'export'

interface OpenPartProps {
  open: PageDialog
  page: WikiPage
  anchor: Element | null
  close: () => void
}

/** Dialog or menu that an action opened. */
function OpenPart({ open, page, anchor, close }: OpenPartProps) {
  return (
    <Suspense>
      {open === 'share' && <ShareDialog page={page} close={close} />}
      {open === 'below' && <NewPage isOpen parent={page} close={close} />}
      {open === 'move' && <MovePage pageId={page.id} anchor={anchor} close={close} />}
      {open === 'export' && anchor && (
        <Picker
          anchor={anchor}
          label={wiki.export.title}
          choices={(query) => filterChoices(formats, query)}
          choose={(format) => void exportPage(page, format)}
          close={close}
        />
      )}
    </Suspense>
  )
}

/** Further page actions, for people who do not know the keys. */
function MoreActions({
  commands,
  ref,
}: {
  commands: CommandId[]
  ref: RefObject<HTMLButtonElement | null>
}) {
  const [anchor, setAnchor] = useState<Element>()
  const choices = commands.map((command) => ({ value: command, label: t.keys.commands[command] }))
  if (choices.length === 0) return null
  return (
    <>
      <ActionIcon
        ref={ref}
        variant="subtle"
        size={30}
        aria-label={wiki.more}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <IconDots size={16} aria-hidden />
      </ActionIcon>
      {anchor && (
        <Picker
          anchor={anchor}
          label={wiki.more}
          choices={(query) => filterChoices(choices, query)}
          choose={(command) => setTimeout(() => runCommand(command))} // once the list has returned the focus
          close={() => setAnchor(undefined)}
        />
      )}
    </>
  )
}

/** Creates a template from the text of a page. */
async function saveTemplate({ id, title, visibility }: WikiPage): Promise<void> {
  try {
    const { body_markdown } = await call('get_page', { page_id: id })
    await write(
      'create_page',
      { title, body_markdown, kind: 'template', visibility },
      { text: wiki.share.templateMade(title) },
    )
  } catch (error) {
    notifyProblem(error)
  }
}
