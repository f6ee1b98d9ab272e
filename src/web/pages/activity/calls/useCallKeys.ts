import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import type { ApiCall } from './calls.ts'

interface CallKeysOptions {
  calls: readonly ApiCall[]
  openId: string | undefined
  scrollToIndex: (index: number) => void
  undo: (call: ApiCall) => void
}

/** j and k move in the log, Enter opens, u undoes, Escape closes. Returns the id of the current call. */
export function useCallKeys({
  calls,
  openId,
  scrollToIndex,
  undo,
}: CallKeysOptions): string | undefined {
  const [currentId, setCurrentId] = useState<string>()
  const navigate = useNavigate()
  const activeId = openId ?? currentId
  const pendingFocusId = useRef<string>(undefined)

  useEffect(() => {
    if (openId !== undefined) setCurrentId(openId)
  }, [openId])
  useFocusAfterClose(openId)
  useEffect(() => {
    if (pendingFocusId.current === undefined) return
    const link = document.querySelector<HTMLElement>(`[data-call="${pendingFocusId.current}"]`)
    if (!link) return
    pendingFocusId.current = undefined
    link.focus({ preventScroll: true })
  })

  const openCall = (id: string) =>
    void navigate({
      to: `/activity/calls/${id}`,
      search: true,
      replace: openId !== undefined,
      resetScroll: false,
    })
  const move = (offset: number) => {
    const index = Math.min(
      calls.length - 1,
      Math.max(0, calls.findIndex((apiCall) => apiCall.id === activeId) + offset),
    )
    const call = calls[index]
    if (!call) return
    pendingFocusId.current = call.id
    setCurrentId(call.id)
    scrollToIndex(index)
    if (openId !== undefined) openCall(call.id)
  }
  const activeCall = calls.find((apiCall) => apiCall.id === activeId)
  useCommands({
    'activity.next': () => move(1),
    'activity.previous': () => move(-1),
    'activity.undo': activeCall?.undo === 'possible' ? () => undo(activeCall) : undefined,
    'activity.close':
      openId === undefined
        ? undefined
        : () => void navigate({ to: '/activity', search: true, resetScroll: false }),
  })
  return activeId
}

/** Focuses the row of a call after its panel closes. */
function useFocusAfterClose(openId: string | undefined): void {
  const previousOpenId = useRef<string>(undefined)
  useEffect(() => {
    const closedId = openId === undefined ? previousOpenId.current : undefined
    previousOpenId.current = openId
    if (closedId === undefined) return
    const frame = requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[data-call="${closedId}"]`)
        ?.focus({ preventScroll: true }),
    ) // after the page takes the focus
    return () => cancelAnimationFrame(frame)
  }, [openId])
}
