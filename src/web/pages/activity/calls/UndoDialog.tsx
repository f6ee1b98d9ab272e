import { Alert, Button, Group, List, Loader, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call as callOperation, type Output } from '../../../api/client.ts'
import { useCall } from '../../../api/queries.ts'
import { activityTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Problem } from '../../../ui/states.tsx'
import { describeCall, type ApiCall } from './calls.ts'
import { useMarkUndone } from './useCallLog.ts'

type UndoResult = Output<'undo_api_call'>

/** Shows the effect of undoing a call, and undoes it. */
export function UndoDialog({ call, close }: { call: ApiCall | undefined; close: () => void }) {
  return (
    <Modal opened={call !== undefined} onClose={close} title={t.activity.undo.title}>
      {call && <UndoForm call={call} close={close} />}
    </Modal>
  )
}

function UndoForm({ call, close }: { call: ApiCall; close: () => void }) {
  const text = t.activity.undo
  const plan = useQuery({
    queryKey: ['undo', call.id],
    queryFn: ({ signal }) =>
      callOperation('undo_api_call', { call_id: call.id, dry_run: true }, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const undo = useCall('undo_api_call')
  const markUndone = useMarkUndone()
  const confirm = () =>
    undo.mutate(
      { call_id: call.id },
      {
        onSuccess: ({ restored, removed, refused }) => {
          const count = restored.length + removed.length
          if (count > 0) markUndone(call.id)
          notifySuccess(
            refused.length === 0 ? text.done(count) : text.partly(count, refused.length),
          )
          close()
        },
      },
    )
  const canUndo = (plan.data?.restored.length ?? 0) + (plan.data?.removed.length ?? 0) > 0
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {describeCall(call)}
      </Text>
      {plan.isPending && (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">{text.checking}</Text>
        </Group>
      )}
      {plan.error && <Problem error={plan.error} />}
      {plan.data && <Plan result={plan.data} />}
      {undo.error && <Problem error={undo.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {canUndo ? t.app.cancel : t.app.close}
        </Button>
        {canUndo && (
          <Button onClick={confirm} loading={undo.isPending} data-autofocus>
            {text.confirm}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Plan({ result: { restored, removed, refused } }: { result: UndoResult }) {
  const text = t.activity.undo
  return (
    <>
      <Items title={text.restored} items={restored} />
      <Items title={text.removed} items={removed} />
      {refused.length > 0 && (
        <Alert
          color="yellow"
          variant="light"
          title={restored.length + removed.length === 0 ? text.whole : text.refused}
        >
          <List size="sm">
            {refused.map(({ item, reason }) => (
              <List.Item key={item.id}>
                <ItemLink item={{ ...item, title: item.title ?? '' }} /> – {text.reasons[reason]}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  )
}

function Items({ title, items }: { title: string; items: UndoResult['restored'] }) {
  if (items.length === 0) return null
  return (
    <div>
      <Text size="sm">{title}</Text>
      <List size="sm">
        {items.map((item) => (
          <List.Item key={item.id}>
            <ItemLink item={item} />
          </List.Item>
        ))}
      </List>
    </div>
  )
}
