import { Text } from '@mantine/core'
import type { NotificationData } from '@mantine/notifications'
import { errorMessage } from '../api/problem.ts'
import { t } from '../texts/index.ts'
import { ensureCorner } from './CornerHost.tsx'

/** Asks for confirmation before an irreversible action; returns the answer. */
export async function confirm({
  title,
  text,
  action,
  cancel = t.app.cancel,
  isDangerous = true,
}: {
  title: string
  text: string
  action: string
  cancel?: string
  isDangerous?: boolean
}): Promise<boolean> {
  const { modals } = await ensureCorner()
  return new Promise((resolve) =>
    modals.openConfirmModal({
      title,
      children: (
        <Text size="sm" dir="auto">
          {text}
        </Text>
      ),
      labels: { confirm: action, cancel },
      confirmProps: isDangerous ? { color: 'red' } : {},
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    }),
  )
}

export function notifySuccess(message: string): void {
  displayNotice({ message, color: 'green' })
}

/** Reports an error in a corner, if there is no better place for it. */
export function notifyProblem(error: unknown): void {
  displayNotice({
    title: t.app.wrong,
    message: errorMessage(error),
    color: 'red',
    autoClose: 10_000,
  })
}

function displayNotice(notice: NotificationData): void {
  void ensureCorner().then(({ notifications }) => notifications.show(notice))
}
