import { ActionIcon, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEndpoint } from '../../../api/queries.ts'
import { activityTexts as t } from '../texts.ts'
import { QueryContent } from '../../../ui/states.tsx'
import styles from '../activity.module.css'
import { CallDetail } from './CallDetail.tsx'

/** The selected call: beside the log, or over it on small screens. */
export function CallPanel() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const navigate = useNavigate()
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const call = useEndpoint('/web/activity/calls/:id', { id })
  const close = () => void navigate({ to: '/activity', search: true, resetScroll: false })
  const detail = (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={close}
        aria-label={t.activity.call.close}
        className={styles.close}
      >
        <IconX size={16} />
      </ActionIcon>
      <QueryContent query={call}>{(call) => <CallDetail key={call.id} call={call} />}</QueryContent>
    </>
  )
  if (isWide) {
    return (
      <aside className={styles.panel} aria-label={t.activity.call.title} tabIndex={0}>
        {detail}
      </aside>
    )
  }
  return (
    <Drawer.Root opened onClose={close} position="right" size="lg">
      <Drawer.Overlay />
      <Drawer.Content aria-label={t.activity.call.title}>
        <Drawer.Body pt="md">{detail}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
